/** Old results put aside where a session is longer than any request could carry: what is never sent is not held. */

import type { Message, ToolResultBlock } from "../message.ts";
import { sumOf } from "../seal.ts";

/** Characters of results, several times what the largest request takes. It is done in few and large steps. */
const limits = { most: 32_000_000, keep: 16_000_000 };

/** To be called with each message that is added: puts the oldest results aside once there are more than the limit. */
export function withoutOldest({ most, keep }: typeof limits = limits): (messages: Message[], added: Message) => void {
  let held = 0;
  return (messages, added) => {
    held += sizeOf(added);
    if (held <= most) return;
    held = messages.reduce((sum, message) => sum + sizeOf(message), 0);
    for (let index = 0; held > keep && index < messages.length - 1; index++) {
      const old = messages[index];
      if (old === undefined || old.role === "assistant") continue;
      const lean = {
        ...old,
        content: old.content.map((block) => (block.type === "tool_result" ? aside(block) : block)),
      };
      held += sizeOf(lean) - sizeOf(old);
      messages[index] = lean;
    }
  };
}

function sizeOf({ content }: Message): number {
  return content.reduce((sum, block) => sum + (block.type === "tool_result" ? sizeOfResult(block) : 0), 0);
}

function sizeOfResult({ content }: ToolResultBlock): number {
  return content.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : part.base64.length), 0);
}

/** The checksum keeps results apart that differ, for the guard against repetition. */
function aside(result: ToolResultBlock): ToolResultBlock {
  const size = sizeOfResult(result);
  if (size < 200) return result;
  const text = `(This result is old and was left out: ${size} characters, sum ${sumOf(JSON.stringify(result.content))}.)`;
  return { ...result, content: [{ type: "text", text }] };
}
