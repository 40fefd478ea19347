/** Whole processes, timed from outside, in ratios: `node -e 0` is run in turn with whatever is measured against it. */

import { execFile, spawn, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openReadOnly, policyGate } from "@croft/harness";

/** A project to work in and a home to keep things in, both gone afterwards. */
export type Place = { project: string; home: string };
export type Command = { args: readonly string[]; cwd: string; env?: Readonly<Record<string, string>> | undefined };
export type Row = {
  what: string;
  /** The figure the budget speaks of. */
  value: number;
  unit: string;
  budget: number;
  /** What stands behind it, in words. */
  detail: string;
};

/** The very ripgrep the harness brings. */
const { rgPath }: { rgPath: string } = createRequire(import.meta.resolve("@croft/harness"))("@vscode/ripgrep");
const croftBin = fileURLToPath(new URL("../packages/cli/bin/croft.cjs", import.meta.url));
const peakHook = new URL("peak.mjs", import.meta.url).href;

/** The floor everything is measured against. */
export const bareNode = (cwd: string): Command => ({ args: ["-e", "0"], cwd });

/** croft as its users start it, with `home` for all it keeps. */
export function croft(args: readonly string[], cwd: string, home: string, env: Record<string, string> = {}): Command {
  return { args: [croftBin, ...args], cwd, env: { HOME: home, ...env } };
}

/** Milliseconds from the start of the process to its end. Throws when it fails. */
export async function wallOf(command: Command): Promise<number> {
  return timed(() => ended(run(command), command));
}

/** Milliseconds that some work took. */
export async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The same in milliseconds of processor time of this process: where all is done in it, it matters less what else runs. */
export async function processorTime(work: () => Promise<void>): Promise<number> {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

/** ripgrep alone: what a search is measured against. */
export async function rawSearch(cwd: string, pattern: string, where: string): Promise<void> {
  const args = ["--no-config", "--line-number", "--hidden", "--no-require-git", "-e", pattern, "--", where];
  await promisify(execFile)(rgPath, args, { cwd, maxBuffer: 100_000_000 });
}

/** As a model searches. */
export async function toolSearch(root: string, input: object): Promise<void> {
  const tools = openReadOnly({ root, gate: policyGate() });
  const { ok, content } = await tools.call("search", input, new AbortController().signal);
  await tools.close();
  if (!ok) throw new Error(`The search failed: ${JSON.stringify(content)}`);
}

/** Peak memory in MiB, as the process itself reports it at its end. */
export async function peakOf({ args, ...rest }: Command): Promise<number> {
  const command = { ...rest, args: ["--import", peakHook, ...args] };
  const child = run(command);
  let kib = "";
  child.stdio[3]?.on("data", (chunk) => (kib += String(chunk)));
  await ended(child, command);
  return Number(kib) / 1024;
}

/**
 * Both in turn, `runs` times after one that does not count; the least of each. What else the machine does only ever
 * adds to a run, so the least says what it takes by itself.
 */
export async function versus<What>(
  measure: (what: What) => Promise<number>,
  measured: What,
  floor: What,
  runs: number,
): Promise<{ ratio: number; measured: number; floor: number }> {
  await measure(floor);
  await measure(measured);
  const floors: number[] = [];
  const figures: number[] = [];
  for (let n = 0; n < runs; n++) {
    floors.push(await measure(floor));
    figures.push(await measure(measured));
  }
  const least = { measured: Math.min(...figures), floor: Math.min(...floors) };
  return { ratio: least.measured / least.floor, ...least };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** A process that cannot outlive two minutes. Descriptor 3 is a pipe for what it reports of itself. */
export function run({ args, cwd, env }: Command): ChildProcess {
  return spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    timeout: 120_000,
    killSignal: "SIGKILL",
  });
}

/** Waits for its end. Throws, with what it said, when it fails. */
export async function ended(child: ChildProcess, { args }: Command): Promise<void> {
  let words = "";
  child.stdout?.resume();
  child.stderr?.on("data", (chunk) => (words += String(chunk)));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on("error", reject);
  child.on("close", resolve);
  const code = await promise;
  if (code !== 0) throw new Error(`node ${args.join(" ")} ended with ${code}: ${words}`);
}
