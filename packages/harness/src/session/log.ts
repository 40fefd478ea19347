/**
 * A session kept in a file: JSON Lines, one event a line, with the milliseconds since the log was opened and a
 * checksum.
 */

import { closeSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { Failure } from "../error.ts";
import type { Event } from "../event.ts";
import { seal } from "../seal.ts";
import { createFold, type Earlier } from "./fold.ts";
import { logFormat } from "./read.ts";
import type { Session } from "./session.ts";

export type LogOptions = {
  id: string;
  /** Created with mode 0600 in a folder that exists, or continued. Absent: the session is kept in memory only. */
  file?: string | undefined;
  /** What the session has come to before, where it goes on. */
  earlier?: Earlier | undefined;
  /** Milliseconds of a clock that never goes back. */
  now?: (() => number) | undefined;
  /** Told once, of the first event that could not be written: nothing is written after it. */
  onError?: ((failure: Failure) => void) | undefined;
};

/**
 * Opens a log for appending. Each event is handed to the system before `append` returns, and is on the disk after a
 * `stop`. Throws Failure E_LOG_UNWRITABLE if the file cannot be opened.
 */
export function openLog(options: LogOptions): Session {
  const { id, file, now = sinceStart } = options;
  const fold = createFold(options.earlier);
  const start = now();
  let descriptor = file === undefined ? undefined : openForAppending(file);

  function close(): void {
    if (descriptor === undefined) return;
    const open = descriptor;
    descriptor = undefined;
    closeSync(open);
  }

  function write(event: Event): void {
    if (descriptor === undefined) return;
    try {
      writeWhole(descriptor, lineFor(event, Math.round(now() - start)));
      if (event.type === "stop") fdatasyncSync(descriptor);
    } catch (error) {
      close();
      options.onError?.(unwritable(file ?? "", error, "The session goes on, but the rest of it is not kept."));
    }
  }

  return {
    id,
    file,
    messages: fold.messages,
    rejected: fold.rejected,
    offered: fold.offered,
    get spent() {
      return fold.spent;
    },
    get used() {
      return fold.used;
    },
    get counted() {
      return fold.counted;
    },
    get unasked() {
      return fold.unasked;
    },
    get todos() {
      return fold.todos;
    },
    close,
    append(event) {
      if (event.type === "delta" || event.type === "output") return;
      fold.take(event);
      write(event);
    },
  };
}

/** Unlike `performance`, which is loaded when it is first used, this costs a start nothing. */
function sinceStart(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

function openForAppending(file: string): number {
  try {
    const descriptor = openSync(file, "a+", 0o600);
    if (!endsInNewline(descriptor)) writeWhole(descriptor, "\n");
    return descriptor;
  } catch (error) {
    throw unwritable(file, error, "Choose a folder that exists and that you may write to.");
  }
}

/** A torn last line must not take the next event with it. */
function endsInNewline(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] === 0x0a);
}

/**
 * JSON escapes lone surrogates, so they survive. What JSON cannot hold (a circle in a tool's details) leaves a notice.
 */
function lineFor(event: Event, ms: number): string {
  try {
    const format = event.type === "start" ? logFormat : undefined;
    return `${seal(JSON.stringify({ ms, ...event, format }))}\n`;
  } catch (error) {
    const text = `An event of type ${event.type} could not be kept: ${reasonOf(error)}`;
    const notice = { ms, type: "notice", code: "E_NOT_PLAIN_DATA", text } satisfies Event & { ms: number };
    return `${seal(JSON.stringify(notice))}\n`;
  }
}

function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
}

function unwritable(file: string, cause: unknown, remedy: string): Failure {
  return new Failure("E_LOG_UNWRITABLE", `The session log ${file} cannot be written: ${reasonOf(cause)}.`, {
    remedy,
    cause,
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
