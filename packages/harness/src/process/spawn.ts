/**
 * The door to programs. A child leads a process group of its own, so that ending it ends what it started. No shell
 * stands between: the argv is what the program gets, and it inherits nothing but the environment it is given.
 */

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { isAbsolute } from "node:path";
import type { Readable } from "node:stream";
import { Failure } from "../error.ts";
import { graceMs, signalGroup } from "./group.ts";

export type Program = {
  /** An absolute path, then the arguments. PATH is never searched. */
  argv: readonly [string, ...string[]];
  cwd: string;
  /** Everything the child finds in its environment. */
  env: Readonly<Record<string, string>>;
  /** The stream that `output` gives, stdout if absent; of the other one only the end is kept. */
  read?: "stdout" | "stderr" | undefined;
  /** Open descriptors that the child gets as 3, 4, …; they stay the caller's. */
  descriptors?: readonly number[] | undefined;
};

/** `tail`: the end of the stream that `output` does not give, as text, at most `tailBytes` long. */
export type Exit = { code: number | null; signal: NodeJS.Signals | null; tail: string };

/** Disposing ends the whole group and waits for it, whether or not the program was done. */
export interface Child extends AsyncDisposable {
  /** Read slowly and the child waits: nothing is buffered beyond the pipe. It simply ends where the child is ended. */
  readonly output: AsyncIterable<Uint8Array>;
  /** Settles once the child is gone and its pipes are closed. Rejects with E_NOT_STARTED when it never ran. */
  readonly exit: Promise<Exit>;
}

const tailBytes = 16_384;

/**
 * Starts a program with stdin closed. Aborting `signal` ends it as disposing does; `exit` then tells the signal. Throws
 * E_NOT_STARTED where it is known at once that it cannot run.
 */
export async function startProgram(program: Program, signal: AbortSignal): Promise<Child> {
  const [file, ...args] = program.argv;
  if (!isAbsolute(file)) throw new Failure("E_NOT_STARTED", `${file} is not an absolute path to a program.`);
  // Loaded with the first program: it takes a good part of the time that Node itself takes to start.
  const { spawn } = await import("node:child_process");
  const child = spawn(file, args, {
    cwd: program.cwd,
    env: { ...program.env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe", ...(program.descriptors ?? [])],
  });
  const { stdout, stderr } = child;
  // Where no descriptor is left there are no streams, not even null, and the error comes only now.
  if (!stdout || !stderr) {
    child.on("error", () => undefined);
    throw new Failure("E_NOT_STARTED", `${file} could not be started: too many files are open.`, {
      remedy: "Raise the limit of open files (ulimit -n), or do less at a time.",
    });
  }
  const errorsRead = program.read === "stderr";
  const output = errorsRead ? stderr : stdout;
  const exit = exitOf(child, file, errorsRead ? stdout : stderr);
  const end = (): Promise<void> => endGroup(child, output, exit);
  const onAbort = (): void => void end();
  signal.addEventListener("abort", onAbort, { once: true });
  // Whoever awaits `exit` gets the rejection; this branch only keeps the listener from outliving the child.
  void exit.catch(() => undefined).finally(() => signal.removeEventListener("abort", onAbort));
  if (signal.aborted) onAbort();
  return { output: untilEnded(output), exit, [Symbol.asyncDispose]: end };
}

async function* untilEnded(output: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* output as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (!output.destroyed) throw error;
  }
}

async function exitOf(child: ChildProcess, file: string, other: Readable): Promise<Exit> {
  let tail = Buffer.alloc(0);
  other.on("data", (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-tailBytes);
  });
  // At this very moment the group's number cannot have been given to another; what the child left behind goes with it.
  child.once("exit", () => killGroup(child, "SIGKILL"));
  try {
    await once(child, "close");
  } catch (cause) {
    throw new Failure("E_NOT_STARTED", `${file} could not be started.`, { cause });
  }
  return { code: child.exitCode, signal: child.signalCode, tail: tail.toString() };
}

async function endGroup(child: ChildProcess, output: Readable, exit: Promise<Exit>): Promise<void> {
  const running = child.exitCode === null && child.signalCode === null;
  const killer = running ? setTimeout(() => killGroup(child, "SIGKILL"), graceMs) : undefined;
  try {
    if (running) killGroup(child, "SIGTERM");
    // Unread output would keep the pipe open, and the exit from settling.
    output.destroy();
    await exit.catch(() => undefined);
  } finally {
    clearTimeout(killer);
  }
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) signalGroup(child.pid, signal);
}
