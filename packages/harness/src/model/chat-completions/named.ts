/** Which blocks of a request a server means when it refuses a place in the body. */

import type { Message } from "../../message.ts";
import type { ModelRequest, Named } from "../model.ts";
import type { NamedPlace } from "../named-place.ts";
import { messagesToWire, type Settings } from "./wire.ts";

/** Undefined where the place is in no message: in the system prompt, say. */
export function blocksNamed(
  request: ModelRequest,
  settings: Settings,
  { message: place, part }: NamedPlace,
): Named | undefined {
  let at = messagesToWire({ ...request, messages: [] }, settings).length;
  for (const [index, message] of request.messages.entries()) {
    const { length } = messagesToWire({ ...request, system: [], messages: [message] }, settings);
    if (place >= at && place < at + length) {
      const blocks = message.role === "assistant" ? textsOf(message) : saidAt(message, place - at, part, settings);
      return blocks.length === 0 ? undefined : { message: index, blocks };
    }
    at += length;
  }
  return undefined;
}

/** The text of a reply is sent as one. */
function textsOf({ content }: Message): number[] {
  return content.flatMap(({ type }, index) => (type === "text" ? [index] : []));
}

/** Each result is a message; what else is said follows, and the images of results with it. */
function saidAt(message: Message, offset: number, part: number | undefined, { capabilities }: Settings): number[] {
  const results: number[] = [];
  const parts: number[] = [];
  for (const [index, block] of message.content.entries()) {
    if (block.type !== "tool_result") {
      parts.push(index);
      continue;
    }
    results.push(index);
    if (capabilities.images) parts.push(...block.content.flatMap(({ type }) => (type === "image" ? [index] : [])));
  }
  if (offset < results.length) return results.slice(offset, offset + 1);
  return part === undefined ? [...new Set(parts)] : parts.slice(part, part + 1);
}
