/** One program as a command: started, its output read, and ended with all that it started. */

import type { ChildProcess, StdioOptions } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Duplex, type Readable } from "node:stream";
import { Failure, messageOf } from "../error.ts";
import type { Launch } from "./enclosure.ts";
import { graceMs, signalGroup } from "./group.ts";
import { endLeftBehind, markName } from "./left-behind.ts";
import { readCount } from "./system/count.ts";
import type { Pipes } from "./system/pipe.ts";
import { descendantsOf, signalProcess } from "./system/table.ts";
import type { Watchdog } from "./watchdog.ts";

export type JobParts = {
  launch: Pick<Launch, "argv" | "cwd" | "env" | "descriptors" | "countAt">;
  pipes: Pipes;
  /** Absent in an enclosure, which takes its processes with it. */
  watchdog?: Watchdog | undefined;
  /** Gets the output, stdout and stderr as they come. While it waits, the program waits. */
  take: (bytes: Uint8Array) => Promise<void>;
};

/** `left`: processes that were ended behind it. Neither code nor signal: it could not be ended. */
export type Outcome = { code: number | null; signal: NodeJS.Signals | null; left: number };

export interface Job {
  /** Settles when the program itself has ended. */
  readonly exit: Promise<void>;
  /** Settles once the program itself has ended, whoever still holds its output, and nothing of it is left. */
  readonly done: Promise<Outcome>;
  /** TERM to the group, KILL after a while. */
  readonly end: () => Promise<Outcome>;
}

/** Milliseconds that the rest of the output is waited for once all is ended. */
const drainMs = 500;

/** Starts it in a session of its own, without a terminal, stdin empty. Throws E_NOT_STARTED. */
export async function startJob({ launch, pipes, watchdog, take }: JobParts): Promise<Job> {
  await watchdog?.wake();
  const pipe = await pipes.take();
  const mark = randomUUID();
  let spawned: Spawned;
  try {
    spawned = await spawnInto(pipe.input, launch, mark, (pid) => watchdog?.watch(pid));
  } catch (thrown) {
    pipe[Symbol.dispose]();
    throw thrown;
  }
  const { child, pid, counter } = spawned;
  const exit = exitOf(child);
  pipe.closeInput();
  const reading = readAll(pipe.output, take);
  reading.catch(() => undefined); // told by `done`
  let counted = 0;
  const counting = counter && readCount(counter).then((count) => (counted = count));
  const stuck = Promise.withResolvers<void>();
  const done = finish();
  let ending: Promise<Outcome> | undefined;

  async function finish(): Promise<Outcome> {
    try {
      await Promise.race([exit, stuck.promise]);
      watchdog?.forget(pid);
      // An enclosure has taken all with it, but for a helper that stands outside.
      const left = watchdog !== undefined || signalGroup(pid, 0) ? await endLeftBehind({ pid, mark }) : 0;
      await within(drainMs, Promise.all([reading, counting]));
      return { code: child.exitCode, signal: child.signalCode, left: left + counted };
    } finally {
      pipe[Symbol.dispose]();
      counter?.destroy();
      await Promise.all([reading, counting]);
    }
  }

  function askToEnd(): void {
    // The leader of an enclosure would take all with it at once; in there nobody leaves the tree.
    if (watchdog === undefined) for (const one of descendantsOf(pid)) signalProcess(one, "SIGTERM");
    else signalGroup(pid, "SIGTERM");
  }

  async function end(): Promise<Outcome> {
    // Once it has ended, its number may be another's.
    if (isRunning(child)) askToEnd();
    await within(graceMs, exit);
    if (isRunning(child)) signalGroup(pid, "SIGKILL");
    await within(graceMs, exit);
    stuck.resolve();
    return done;
  }

  return { exit: Promise.race([exit, stuck.promise]), done, end: () => (ending ??= end()) };
}

/** `counter`: where it tells how many processes it left behind. */
type Spawned = { child: ChildProcess; pid: number; counter: Duplex | undefined };

async function spawnInto(
  output: number,
  { argv, cwd, env, descriptors, countAt }: JobParts["launch"],
  mark: string,
  onPid: (pid: number) => void,
): Promise<Spawned> {
  const { spawn } = await import("node:child_process");
  const [file, ...args] = argv;
  const stdio: StdioOptions & unknown[] = ["ignore", output, output, ...descriptors];
  if (countAt !== undefined) stdio[countAt] = "pipe";
  try {
    const child = spawn(file, args, {
      cwd,
      env: { ...env, [markName]: mark },
      detached: true,
      stdio,
    });
    const { pid = 0 } = child; // none where it did not start, which is told next
    if (pid > 0) onPid(pid);
    await once(child, "spawn");
    return { child, pid, counter: countAt === undefined ? undefined : socketAt(child, countAt) };
  } catch (cause) {
    throw new Failure("E_NOT_STARTED", `${file} could not be started: ${messageOf(cause)}.`, { cause });
  }
}

function socketAt(child: ChildProcess, descriptor: number): Duplex | undefined {
  const stream = child.stdio[descriptor];
  return stream instanceof Duplex ? stream : undefined;
}

async function exitOf(child: ChildProcess): Promise<void> {
  if (isRunning(child)) await once(child, "exit");
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

async function readAll(output: Readable, take: JobParts["take"]): Promise<void> {
  try {
    for await (const chunk of output as AsyncIterable<Uint8Array>) await take(chunk);
  } catch (error) {
    if (!output.destroyed) throw error;
  }
}

/** Waits, but only so long. */
async function within(ms: number, what: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  try {
    await Promise.race([what, sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined)]);
  } finally {
    timer.abort();
  }
}
