/** One attempt at a task with one setting. */

import { join } from "node:path";
import { totalTokens, type Event, type Status } from "@croft/harness";
import { croft } from "./croft.ts";
import { judge } from "./judge.ts";
import { makePlace, type Place } from "./place.ts";
import type { Task } from "./task.ts";

/** A name, and the options that croft gets. */
export type Setting = { name: string; options: readonly string[] };

export type Outcome = {
  setting: string;
  task: string;
  passed: boolean;
  /** The hidden tests that failed. */
  failed: readonly string[];
  /** What croft says of its own run. */
  status: Status;
  steps: number;
  tokens: number;
  /** undefined: the model has no price. */
  dollars: number | undefined;
  seconds: number;
};

export type Bounds = {
  /** Seconds that croft is given. */
  timeout: number;
  /** A file for the trace. */
  trace?: string | undefined;
};

type Stop = Extract<Event, { type: "stop" }>;

/** Seconds that croft may take beyond its own limit, for what it does at the end. */
const beyond = 60;

/**
 * Runs croft on a fresh copy in `folder`, then judges what it left, however it ended. Throws where croft did not even
 * start to work (a wrong option, no key), where the tests cannot be run, and the signal's reason.
 */
export async function attempt(
  task: Task,
  setting: Setting,
  folder: string,
  bounds: Bounds,
  signal: AbortSignal,
): Promise<Outcome> {
  const place = makePlace(task, folder);
  const began = performance.now();
  const { status, steps, usage, dollars } = await work(task, setting, place, bounds, signal);
  const seconds = (performance.now() - began) / 1_000;
  const verdict = await judge(task, place, signal);
  return {
    setting: setting.name,
    task: task.name,
    ...verdict,
    status,
    steps,
    tokens: totalTokens(usage),
    dollars,
    seconds,
  };
}

async function work(
  task: Task,
  setting: Setting,
  place: Place,
  { timeout, trace = join(place.root, "../trace.jsonl") }: Bounds,
  signal: AbortSignal,
): Promise<Stop> {
  let stop: Stop | undefined;
  const own = ["--yes", "--json", "--no-memory", "--trace", trace, "--timeout", String(timeout)];
  const ended = await croft(["run", ...own, ...setting.options, "--file", task.words], place, {
    ms: (timeout + beyond) * 1_000,
    onLine: (line) => {
      const event: Event = JSON.parse(line);
      if (event.type === "stop") stop = event;
    },
    signal,
  });
  if (stop === undefined) throw new Error(`croft run ended with ${ended.code} before it did anything: ${ended.tail}`);
  return stop;
}
