/** A content block while it streams, and what becomes of it. */

import type { AssistantMessage } from "../../message.ts";
import { isObject, textIn, type Fields } from "../../json.ts";
import { parseToolInput, type ToolInput } from "../tool-input.ts";

/** `fields` as the service shapes them, `json` the raw text of a tool's input. */
export type PartialBlock = { fields: Fields; json: string; id: string; name: string };

/** How a delta grows a block of a kind croft does not know: text and lists are continued, anything else is set. */
export function append(block: Fields, delta: Fields): void {
  for (const [key, value] of Object.entries(delta)) {
    const known = block[key];
    if (typeof value === "string") block[key] = typeof known === "string" ? known + value : value;
    else if (Array.isArray(value)) block[key] = Array.isArray(known) ? [...known, ...value] : value;
    else if (value !== undefined && value !== null) block[key] = value;
  }
}

/** The block as the log keeps it. A bad input stays the text it was: no object, so that nothing takes it for one. */
export function finished({ fields, json, id, name }: PartialBlock): AssistantMessage["content"][number] {
  if (fields["type"] === "text") return { type: "text", text: textIn(fields, "text") };
  const parsed = inputOf(fields, json);
  const input = "problem" in parsed ? json : parsed.input;
  if (fields["type"] === "tool_use") return { type: "tool_use", id, name, input };
  return { type: "opaque", raw: json === "" ? fields : { ...fields, input } };
}

/** The id of a call and what is wrong with its input, if anything is. */
export function problemOf({ fields, json, id }: PartialBlock): [string, string][] {
  if (fields["type"] !== "tool_use") return [];
  const parsed = inputOf(fields, json);
  return "problem" in parsed ? [[id, parsed.problem]] : [];
}

/** A server may also send the input whole, with the start of its block. */
function inputOf(fields: Fields, json: string): ToolInput {
  const given = fields["input"];
  return json === "" && isObject(given) ? { input: given } : parseToolInput(json);
}
