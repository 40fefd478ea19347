/** The calls of a scripted answer, in the pieces their server makes of them. */

import { pieces } from "../http/delivery.ts";
import type { Quirks } from "./quirks.ts";
import type { ChatPart } from "./script.ts";

type Call = { id: string; name: string; json: string; input: unknown; place: number };

/** The calls by the place of their part; each gets an id of its own unless the script gives one. */
export function callsOf(parts: readonly ChatPart[], n: number): ReadonlyMap<number, Call> {
  const calls = new Map<number, Call>();
  for (const [at, part] of parts.entries()) {
    const place = calls.size;
    const made = `call_${n}_${at + 1}`;
    if (part.type === "tool_use") {
      const { name, input, id = made } = part;
      calls.set(at, { id, name, json: JSON.stringify(input), input, place });
    }
    if (part.type === "raw_call")
      calls.set(at, { id: made, name: part.name, json: part.json, input: part.json, place });
  }
  return calls;
}

/** What stands in `tool_calls`, one piece a chunk. */
export function callPieces(call: Call, quirks: Quirks): object[] {
  const inputs = inputsOf(call, quirks);
  const streamed = inputs.map((input, at) => pieceOf(call, input, at === 0, quirks));
  return quirks.twice ? [...streamed, pieceOf(call, call.json, true, quirks)] : streamed;
}

function inputsOf({ json, input }: Call, quirks: Quirks): unknown[] {
  if (quirks.arguments === "whole") return [json];
  if (quirks.arguments === "object") return [input];
  return ["", ...pieces(json)];
}

function pieceOf(call: Call, input: unknown, first: boolean, quirks: Quirks): object {
  const index = quirks.index === "right" ? call.place : 0;
  const id = idOf(call, first, quirks.ids);
  const name = first || quirks.names === "every" ? call.name : quirks.names === "blank_later" ? "" : undefined;
  return {
    ...(quirks.index !== "absent" && { index }),
    ...(id !== undefined && { id }),
    ...(quirks.type && first && { type: "function" }),
    function: { ...(name !== undefined && { name }), arguments: input },
  };
}

function idOf({ id }: Call, first: boolean, ids: Quirks["ids"]): string | undefined {
  if (ids === "empty") return "";
  if (ids === "absent") return undefined;
  if (ids === "same") return first ? "call_0" : undefined;
  if (first || ids === "every") return id;
  return ids === "blank_later" ? "" : undefined;
}
