/** A session that begins as a copy of another one, up to the end of a turn. */

import { createReadStream, createWriteStream } from "node:fs";
import { Failure, messageOf } from "../error.ts";
import { linesOf, typeOf } from "./lines.ts";

/**
 * Copies a log byte for byte, up to the last whole line of a turn (from 1; default: the last one), into a file that is
 * not there yet; gives the number of turns. The other log is only read. Throws Failure: E_LOG_UNREADABLE, E_NO_TURN, E_LOG_UNWRITABLE.
 */
export async function forkSession(log: string, copy: string, at?: number): Promise<number> {
  const ends = await turnsIn(log);
  const turns = at ?? ends.length;
  const end = ends[turns - 1];
  if (end === undefined) {
    const what =
      ends.length === 0 ? "There is no turn in it" : `It has ${ends.length === 1 ? "1 turn" : `${ends.length} turns`}`;
    throw new Failure("E_NO_TURN", `The session cannot be forked there. ${what}.`, {
      remedy: "Name a turn by its number, from 1.",
    });
  }
  try {
    const { pipeline } = await import("node:stream/promises"); // most runs fork nothing
    const from = createReadStream(log, { end: end - 1 });
    await pipeline(from, createWriteStream(copy, { flags: "wx", mode: 0o600, flush: true }));
  } catch (cause) {
    throw new Failure("E_LOG_UNWRITABLE", `The session log ${copy} cannot be written: ${messageOf(cause)}.`, {
      remedy: "Choose a folder that exists and that you may write to.",
      cause,
    });
  }
  return turns;
}

/** The byte behind the last line of each turn. What is torn at the end of the log belongs to none: lines end in one. */
async function turnsIn(log: string): Promise<number[]> {
  const ends: number[] = [];
  let begun = false;
  let last = 0;
  for await (const { at, bytes } of linesOf(log)) {
    const isStart = bytes !== undefined && typeOf(bytes) === "start";
    if (isStart && begun) ends.push(at);
    begun ||= isStart;
    last = at;
  }
  return begun && last > 0 ? [...ends, last] : ends;
}
