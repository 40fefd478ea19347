/** Reads a session log back, whatever happened to it: a line that is torn or bad hides no other. */

import { Failure } from "../error.ts";
import type { Event } from "../event.ts";
import { parseJson } from "../json.ts";
import { unseal } from "../seal.ts";
import { linesOf } from "./lines.ts";

/**
 * Written with each start, and one more than before as soon as an older croft would misread what a newer one writes. Kinds
 * of events it does not know need no new number: it passes them over.
 */
export const logFormat = 1;

/** An event as logged: `ms` since its log was opened. */
export type LoggedEvent = Event & { ms: number; format?: number | undefined };
/** `line` counts from 1. No event: the line cannot be read. `altered`: it was changed after it was written. */
export type LogLine = { line: number; event: LoggedEvent | undefined; altered?: true | undefined };

/** Levels of an event around the deepest input that a model can give. What is deeper was written by somebody else. */
const maxDepth = 300;

/**
 * The lines of a log in order, one in memory at a time; empty ones are left out. Throws Failure: E_LOG_UNREADABLE if the
 * file cannot be read, E_NEWER_LOG.
 */
export async function* readLog(file: string): AsyncGenerator<LogLine> {
  const tell = createTeller();
  let line = 0;
  for await (const { bytes } of linesOf(file)) {
    line++;
    const told = tell(bytes);
    if (told !== undefined) yield { line, ...told };
  }
}

/**
 * As `readLog`, but an event that lacks what croft takes from its kind counts as one that cannot be read; `raw` is what
 * it is instead.
 */
export async function* readSoundLog(file: string): AsyncGenerator<LogLine & { raw?: unknown }> {
  const { isServable } = await import("./served.ts");
  for await (const line of readLog(file)) {
    if (line.event === undefined || isServable(line.event)) yield line;
    else yield { line: line.line, event: undefined, raw: line.event };
  }
}

/**
 * Tells what stands on the lines of one log, in order. Undefined: nothing. A line without bytes cannot be read. Throws
 * Failure E_NEWER_LOG at the start of a turn that a newer croft has written.
 */
export function createTeller(): (bytes: Uint8Array | undefined) => Omit<LogLine, "line"> | undefined {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let sealed = false; // whoever took something out of a trace took the seals off as well

  /** A crash of the machine can leave NULs where bytes never reached the disk. Undefined: not UTF-8. */
  function decode(bytes: Uint8Array): string | undefined {
    try {
      const text = decoder.decode(bytes).trim();
      return /^\0+$/.test(text) ? undefined : text.replaceAll("\0", "");
    } catch {
      return undefined;
    }
  }

  return (bytes) => {
    const text = bytes === undefined ? undefined : decode(bytes);
    if (text === "") return undefined;
    if (text === undefined) return { event: undefined };
    const { json, fits } = unseal(text);
    sealed ||= fits !== undefined;
    const event = parse(json);
    if (event?.type === "start" && event.format !== undefined && event.format > logFormat) throw newer(event.format);
    return { event, ...(sealed && fits !== true && { altered: true }) };
  };
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

function newer(format: number): Failure {
  const message = `A newer croft has worked in this session: it is written in format ${format}, and this croft reads ${logFormat}.`;
  return new Failure("E_NEWER_LOG", message, {
    remedy: "Update croft, or go on in a copy of the turns before: croft fork <id> --at <turn>.",
  });
}
