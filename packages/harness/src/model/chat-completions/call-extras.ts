/** What a server sends along with a call and wants back with it: Gemini refuses a call that comes without its signature. */

import { fieldsOf, isObject, type Fields } from "../../json.ts";
import type { AssistantMessage, OpaqueBlock, ToolUseBlock } from "../../message.ts";

/** Google's own name, and the one gateways hide it behind. */
const names = ["extra_content", "provider_specific_fields"];

/** Of a piece of a call, as it came. */
export function extrasIn(piece: Fields): Fields {
  return Object.fromEntries(names.flatMap((name) => (isObject(piece[name]) ? [[name, piece[name]]] : [])));
}

/** The call, behind a block that keeps its extras. */
export function withExtras(call: ToolUseBlock, extras: Fields = {}): (OpaqueBlock | ToolUseBlock)[] {
  return Object.keys(extras).length === 0 ? [call] : [{ type: "opaque", raw: { call: extras } }, call];
}

/** The extras of each call that has some, by its block. */
export function extrasOf(content: AssistantMessage["content"]): ReadonlyMap<ToolUseBlock, Fields> {
  const extras = new Map<ToolUseBlock, Fields>();
  for (const [at, block] of content.entries()) {
    const before = content[at - 1];
    if (block.type === "tool_use" && before?.type === "opaque") {
      extras.set(block, fieldsOf(fieldsOf(before.raw)["call"]));
    }
  }
  return extras;
}

/** Whether a block is about the call behind it. */
export function isOfCall(block: AssistantMessage["content"][number]): boolean {
  return block.type === "opaque" && isObject(fieldsOf(block.raw)["call"]);
}
