/**
 * How well croft does small tasks: `node evals/tasks.ts` (after `npm run build`) `[--model M] [--only <task,…>] [--runs n]
 * [--with "<croft options>"] [--against "<croft options>"] [--jobs n] [--timeout s] [--traces <dir>] [--json]`.
 *
 * Each task is done by `croft run --yes` in a fresh copy of its project; then tests it has not seen say whether it is.
 * `--against` does each with a second setting as well, one right after the other. Ends with 0 once all was measured.
 */

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { attempt, type Outcome, type Setting } from "./rig/attempt.ts";
import { table } from "./rig/table.ts";
import { tasks, type Task } from "./rig/task.ts";

const { values } = parseArgs({
  args: joined(process.argv.slice(2)),
  options: {
    model: { type: "string" },
    only: { type: "string" },
    runs: { type: "string", default: "1" },
    with: { type: "string", default: "" },
    against: { type: "string" },
    jobs: { type: "string", default: "1" },
    timeout: { type: "string", default: "600" },
    traces: { type: "string" },
    json: { type: "boolean" },
  },
});

const asked = tasks(values.only?.split(","));
const runs = whole("runs", values.runs);
const jobs = whole("jobs", values.jobs);
const timeout = whole("timeout", values.timeout);
const settings = [values.with, values.against].flatMap((options, n) =>
  options === undefined ? [] : [settingOf("AB".charAt(n), options)],
);

const interrupted = new AbortController();
const exits = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
for (const [name, code] of Object.entries(exits)) {
  process.on(name, () => {
    process.exitCode = code;
    interrupted.abort();
  });
}

const base = realpathSync(mkdtempSync(join(tmpdir(), "croft-eval-")));
const outcomes: Outcome[] = [];
if (values.traces !== undefined) mkdirSync(values.traces, { recursive: true });
try {
  await attemptAll();
} catch (error) {
  if (!interrupted.signal.aborted) throw error;
} finally {
  rmSync(base, { recursive: true, force: true });
  if (values.json !== true && outcomes.length > 0) for (const line of table(settings, outcomes)) print(line);
}

/** Settings take turns, so that what a service does at some hour meets them alike. */
async function attemptAll(): Promise<void> {
  const numbers = Array.from({ length: runs }, (_, n) => n + 1);
  const waiting = numbers.flatMap((run) =>
    asked.flatMap((task) => settings.map((setting) => ({ task, setting, run }))),
  );
  const failed = new AbortController();
  const signal = AbortSignal.any([interrupted.signal, failed.signal]);
  const next = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await attemptOne(one, signal);
  };
  const workers = Array.from({ length: jobs }, () =>
    next().catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  const ended = await Promise.allSettled(workers);
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}

type One = { task: Task; setting: Setting; run: number };

async function attemptOne({ task, setting, run }: One, signal: AbortSignal): Promise<void> {
  const name = `${task.name}-${setting.name}-${run}`;
  const folder = join(base, name);
  const trace = values.traces === undefined ? undefined : join(resolve(values.traces), `${name}.jsonl`);
  const outcome = await attempt(task, setting, folder, { timeout, trace }, signal);
  rmSync(folder, { recursive: true });
  outcomes.push(outcome);
  print(values.json === true ? JSON.stringify({ run, ...outcome }) : lineOf(outcome));
}

function lineOf({ task, setting, passed, status, steps, failed }: Outcome): string {
  const which = failed.length === 0 ? "" : `; failed: ${failed.join(", ")}`;
  return `${passed ? "pass" : "FAIL"}  ${setting}  ${task}: ${status}, ${steps} ${steps === 1 ? "step" : "steps"}${which}`;
}

/** Options as on a command line: words between blanks, or in quotes. */
function settingOf(name: string, options: string): Setting {
  const words = Array.from(options.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g), ([, double, single, bare]) => {
    return double ?? single ?? bare ?? "";
  });
  return { name, options: [...(values.model === undefined ? [] : ["--model", values.model]), ...words] };
}

/** What follows `--with` and `--against` begins like an option itself, which only `=` makes a value. */
function joined(args: readonly string[]): string[] {
  const taking = new Set(["--with", "--against"]);
  return args.flatMap((word, n) => {
    if (taking.has(args[n - 1] ?? "")) return [];
    return taking.has(word) ? [`${word}=${args[n + 1] ?? ""}`] : [word];
  });
}

function whole(name: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`--${name} takes a whole number from 1.`);
  return Number(text);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
