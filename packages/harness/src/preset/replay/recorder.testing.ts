/** Runs that leave a trace behind, for tests. */

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Event } from "../../event.ts";
import { policyGate } from "../../gate/rules.ts";
import type { Model } from "../../model/model.ts";
import { openLog } from "../../session/log.ts";
import { readTrace } from "../../session/trace.ts";
import { plantTree, type Planted } from "../../workspace/tree.testing.ts";
import { openAsk } from "../ask.ts";
import { replay, type Replayed, type ReplayOptions } from "../replay.ts";
import type { RunBudget } from "../turns.ts";

export const files: Readonly<Record<string, string>> = {
  "a.ts": "export function alpha() {\n  return beta();\n}\n",
  "b.ts": "export const beta = () => 2;\n",
  ".env": "KEY=hidden\n",
};

const never: AbortSignal = new AbortController().signal;

/** A small project, gone with the test; beside it is room for traces. */
export function makeFolder(more: Readonly<Record<string, Planted>> = {}): string {
  const { root, remove } = plantTree({ ...files, ...more });
  onTestFinished(remove);
  return root;
}

/** A new file for a trace. */
export function traceBeside(folder: string): string {
  return join(folder, "../outside", `${randomUUID()}.jsonl`);
}

export type Recorded = { trace: string; events: Event[] };
export type Questions = { budget?: Partial<RunBudget>; signal?: AbortSignal; onEvent?: (event: Event) => void };

/** Asks some questions in one session. The trace stands beside the folder; the events are all that were emitted. */
export async function record(
  folder: string,
  model: Model,
  questions: readonly string[],
  { budget, signal = never, onEvent = () => undefined }: Questions = {},
): Promise<Recorded> {
  const trace = traceBeside(folder);
  const session = openLog({ id: "recorded", file: trace });
  const events: Event[] = [];
  const asking = openAsk({
    root: folder,
    gate: policyGate(),
    model,
    session,
    budget,
    retry: { baseMs: 1 },
    emit(event) {
      events.push(event);
      onEvent(event);
    },
  });
  for (const question of questions) await asking.ask(question, signal);
  await asking.close();
  session.close();
  return { trace, events };
}

export type Again = Replayed & { emitted: Event[] };

/** Replays a trace from its file. */
export async function again(trace: string, options: Omit<ReplayOptions, "emit"> = {}): Promise<Again> {
  const emitted: Event[] = [];
  const replayed = await replay(await readTrace(trace), { ...options, emit: (event) => emitted.push(event) }, never);
  return { ...replayed, emitted };
}

/** Events as plain data, without deltas and what names one run. */
export function essence(events: readonly Event[]): unknown[] {
  return events
    .filter(({ type }) => type !== "delta")
    .map((event) => JSON.parse(JSON.stringify(event.type === "start" ? { ...event, trace: undefined } : event)));
}
