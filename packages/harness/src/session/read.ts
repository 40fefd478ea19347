/** Reads a session log back, whatever happened to it: a line that is torn or bad hides no other. */

import { createReadStream } from "node:fs";
import { Failure } from "../error.ts";
import type { Event } from "../event.ts";
import { parseJson } from "../json.ts";
import { unseal } from "../seal.ts";

/** An event as logged: `ms` since its log was opened. */
export type LoggedEvent = Event & { ms: number };
/** `line` counts from 1. No event: the line cannot be read. `altered`: it was changed after it was written. */
export type LogLine = { line: number; event: LoggedEvent | undefined; altered?: true | undefined };

const newline = 0x0a;
/** Levels of an event around the deepest input that a model can give. What is deeper was written by somebody else. */
const maxDepth = 300;

/**
 * The lines of a log in order, one in memory at a time; empty ones are left out. Throws Failure E_LOG_UNREADABLE if the
 * file cannot be read.
 */
export async function* readLog(file: string): AsyncGenerator<LogLine> {
  let line = 0;
  let sealed = false; // whoever took something out of a trace took the seals off as well
  for await (const bytes of linesOf(file)) {
    line++;
    const text = decode(bytes);
    if (text === "") continue;
    if (text === undefined) {
      yield { line, event: undefined };
      continue;
    }
    const { json, fits } = unseal(text);
    sealed ||= fits !== undefined;
    yield { line, event: parse(json), ...(sealed && fits !== true && { altered: true }) };
  }
}

/** Splits at bytes 0x0A only: readline would split at U+2028 too, which JSON leaves as it is. */
async function* linesOf(file: string): AsyncGenerator<Uint8Array> {
  let rest: Buffer[] = [];
  try {
    const chunks: AsyncIterable<Buffer> = createReadStream(file);
    for await (const chunk of chunks) {
      let start = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        yield Buffer.concat([...rest, chunk.subarray(start, end)]);
        rest = [];
        start = end + 1;
      }
      rest.push(chunk.subarray(start));
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure("E_LOG_UNREADABLE", `The session log ${file} cannot be read: ${why}.`, {
      remedy: "Check that it exists and is yours.",
      cause: error,
    });
  }
  yield Buffer.concat(rest);
}

/** A crash of the machine can leave NULs where bytes never reached the disk. Undefined: not UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).trim();
    return /^\0+$/.test(text) ? undefined : text.replaceAll("\0", "");
  } catch {
    return undefined;
  }
}

function parse(text: string): LoggedEvent | undefined {
  try {
    const value: unknown = parseJson(text, maxDepth);
    return isLogged(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Events of a newer croft pass; messages are looked at more closely, for a session is folded from them. */
function isLogged(value: unknown): value is LoggedEvent {
  if (!hasField(value, "type") || typeof value.type !== "string") return false;
  if (!hasField(value, "ms") || typeof value.ms !== "number") return false;
  if (value.type !== "message") return true;
  if (!hasField(value, "message") || !hasField(value.message, "content") || !hasField(value.message, "role"))
    return false;
  return Array.isArray(value.message.content) && ["user", "assistant"].includes(String(value.message.role));
}

function hasField<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  return typeof value === "object" && value !== null && name in value;
}
