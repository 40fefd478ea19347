/**
 * A pipe of the system. What Node calls a pipe is a socket, which no program can open as /dev/stdout or /dev/stderr;
 * and one pipe for both streams keeps them in the order in which they were written.
 */

import { randomUUID } from "node:crypto";
import { closeSync, constants, openSync, unlinkSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { Failure } from "../../error.ts";
import { neverAborted } from "../../never.ts";
import { probeProgram } from "../probe.ts";

export interface Pipe extends Disposable {
  /** Read slowly and the writers wait. Ends when the last of them has closed it. */
  readonly output: Readable;
  /** The end to write to, to be given to a child. */
  readonly input: number;
  /** Lets go of our own writing end. */
  closeInput(): void;
}

export interface Pipes extends AsyncDisposable {
  /** A new pipe, which is the taker's. Throws E_NOT_STARTED. */
  take(): Promise<Pipe>;
}

/**
 * Pipes as `openPipe` makes them. Making one takes as long as starting a program, so the next one is made when one is
 * let go, in the time between two commands.
 */
export function createPipes(folder: string, searchPath: string): Pipes {
  let ahead: Promise<Pipe> | undefined;
  let closed = false;

  function makeAhead(): void {
    if (closed || ahead !== undefined) return;
    ahead = openPipe(folder, searchPath);
    ahead.catch(() => undefined); // told to whoever takes it
  }

  return {
    async take() {
      const taken = ahead ?? openPipe(folder, searchPath);
      ahead = undefined;
      const pipe = await taken;
      return {
        ...pipe,
        [Symbol.dispose]() {
          pipe[Symbol.dispose]();
          setImmediate(makeAhead);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      const spare = await ahead?.catch(() => undefined);
      spare?.[Symbol.dispose]();
    },
  };
}

/** Makes a pipe, by a name in `folder` that is gone on return. `searchPath`: where mkfifo is. Throws E_NOT_STARTED. */
async function openPipe(folder: string, searchPath: string): Promise<Pipe> {
  const name = join(folder, `pipe-${randomUUID()}`);
  await makeFifo(name, searchPath);
  try {
    // In this order: whoever opens the writing end first would wait for a reader.
    const reading = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
    return pipeOf(reading, openSync(name, constants.O_WRONLY));
  } finally {
    unlinkSync(name);
  }
}

async function makeFifo(name: string, searchPath: string): Promise<void> {
  const argv = ["/bin/sh", "-c", 'exec mkfifo -m 600 "$1"', "sh", name] as const;
  const { code, errors } = await probeProgram(
    argv,
    { cwd: "/", env: { PATH: searchPath }, ms: 10_000 },
    neverAborted(),
  );
  if (code !== 0) throw new Failure("E_NOT_STARTED", `No pipe could be made for the output: ${errors}.`);
}

function pipeOf(reading: number, writing: number): Pipe {
  const output = new Socket({ fd: reading, readable: true, writable: false });
  let open = true;
  function closeInput(): void {
    if (open) closeSync(writing);
    open = false;
  }
  return {
    output,
    input: writing,
    closeInput,
    [Symbol.dispose]() {
      closeInput();
      output.destroy();
    },
  };
}
