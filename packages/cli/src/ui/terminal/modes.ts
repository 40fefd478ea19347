/** What a terminal is switched to while croft reads it, and everything it is switched back from. */

import { pasteModeOff, pasteModeOn } from "../paste-marks.ts";

/** Keys told apart that else look alike (Shift+Enter from Enter): two protocols; a terminal ignores what it lacks. */
const keysOn = "\u001b[>1u\u001b[>4;1m";
const keysOff = "\u001b[<u\u001b[>4;0m";
/** Whoever had switched it on: no report of a mouse may arrive as text. */
const mouseOff = "\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1006l";
/** Cursor, wrapping, no frame held back, no colour left. */
const plain = "\u001b[?2026l\u001b[?7h\u001b[?25h\u001b[0m";

/** `keys`: whether the terminal can be told about keys; the Linux console takes it for underlining. */
export function modesOn(keys: boolean): string {
  return mouseOff + pasteModeOn + (keys ? keysOn : "");
}

export function modesOff(keys: boolean): string {
  return pasteModeOff + (keys ? keysOff : "") + mouseOff + plain;
}
