/** The input of a tool call as a model wrote it: text that ought to be one JSON object. */

import { messageOf } from "../error.ts";
import { isObject, parseJson } from "../json.ts";

export type ToolInput = { input: Record<string, unknown> } | { problem: string };

/**
 * Parses strictly: what is cut off or malformed is never repaired, for a repaired input is not the one that was asked
 * for. Nothing at all counts as `{}`. `problem` says what is wrong and, where the parser knows, at which position.
 */
export function parseToolInput(raw: string): ToolInput {
  if (raw.trim() === "") return { input: {} };
  let input: unknown;
  try {
    input = parseJson(raw);
  } catch (error) {
    return { problem: `The input is not valid JSON: ${reason(error, raw.length)}.` };
  }
  if (isObject(input)) return { input };
  const kind = Array.isArray(input) ? "an array" : input === null ? "null" : `a ${typeof input}`;
  return { problem: `The input must be one JSON object, but it is ${kind}.` };
}

/** The parser names no position when the text simply ends. */
function reason(error: unknown, length: number): string {
  const message = messageOf(error);
  return message.startsWith("Unexpected end") ? `${message} at position ${length}` : message;
}
