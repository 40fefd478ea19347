/** Runs the built `croft` as a real process, in a world of its own: nothing of this machine's environment but PATH. */

import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const bin: string = fileURLToPath(new URL("../../packages/cli/bin/croft.cjs", import.meta.url));

/** A folder with a home and a project, gone when the test is over. */
export type World = { base: string; home: string; project: string };

/** `files`: path below the project, as text or raw bytes -> content. */
export function makeWorld(files: Readonly<Record<string, string>> = {}): World {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "croft-cli-")));
  // A croft whose terminal was closed may still be writing its last words.
  onTestFinished(() => rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  const world = { base, home: join(base, "home"), project: join(base, "project") };
  mkdirSync(world.home);
  mkdirSync(world.project);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(world.project, path)), { recursive: true });
    writeFileSync(join(world.project, path), content);
  }
  return world;
}

export type RunOptions = {
  cwd?: string | undefined;
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** What stdin holds; without it stdin is empty. */
  input?: string | Uint8Array | undefined;
  stdio?: SpawnOptions["stdio"] | undefined;
  uid?: number | undefined;
};

export type Ended = { code: number | null; signal: string | null; out: string; err: string };
export type Running = { child: ChildProcess; ended: Promise<Ended>; out: () => string };

/** Starts croft. It is ended with the test, whatever happens. */
export function start(world: World, args: readonly string[], options: RunOptions = {}): Running {
  const env = { PATH: process.env["PATH"], HOME: world.home, TERM: "xterm-256color", ...options.env };
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: options.cwd ?? world.project,
    env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
    stdio: options.stdio ?? [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const text = { out: "", err: "" };
  child.stdout?.setEncoding("utf8").on("data", (chunk) => (text.out += chunk));
  child.stderr?.setEncoding("utf8").on("data", (chunk) => (text.err += chunk));
  if (options.input !== undefined) child.stdin?.end(options.input);
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  child.on("error", reject);
  child.on("close", (code, signal) => resolve({ code, signal, ...text }));
  return { child, ended: promise, out: () => text.out };
}

/** Runs croft to its end. */
export function croft(world: World, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return start(world, args, options).ended;
}

/** Waits until something holds. The test's own timeout is the limit. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Every line of JSON output, parsed. */
export function eventsOf(out: string): { type: string; [key: string]: unknown }[] {
  return out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
