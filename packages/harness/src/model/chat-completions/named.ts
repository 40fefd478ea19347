/** Which blocks of a request a server means when it refuses a place in the body. */

import type { Message } from "../../message.ts";
import type { ModelRequest, Named } from "../model.ts";
import type { NamedPlace } from "../named-place.ts";
import { messagesToWire, type Settings } from "./wire.ts";

/**
 * Undefined where the place is in no message: in the system prompt, say. Where messages in a row were sent as one, the
 * last of them is meant unless a part is named: the others were taken before.
 */
export function blocksNamed(request: ModelRequest, settings: Settings, place: NamedPlace): Named | undefined {
  let named: Named | undefined;
  let at = messagesToWire({ ...request, messages: [] }, settings).length;
  /** What the body ends with so far. */
  let last: { role: string; parts: number } | undefined;
  for (const [index, message] of request.messages.entries()) {
    const wire = messagesToWire({ ...request, system: [], messages: [message] }, settings);
    const role = wire.at(-1)?.role;
    if (role === undefined) continue;
    const joined = wire[0]?.role === last?.role ? last : undefined;
    const start = joined === undefined ? at : at - 1;
    const part = place.part === undefined ? undefined : place.part - (joined?.parts ?? 0);
    const blocks = blocksAt(message, { offset: place.message - start, part, length: wire.length }, settings);
    if (blocks.length > 0) named = { message: index, blocks };
    at = start + wire.length;
    last = role === "tool" ? undefined : { role, parts: (joined?.parts ?? 0) + partsOf(message, settings).length };
  }
  return named;
}

/** Within what a message became: `length` messages of the body. */
type Spot = { offset: number; part: number | undefined; length: number };

function blocksAt(message: Message, { offset, part, length }: Spot, settings: Settings): readonly number[] {
  if (offset < 0 || offset >= length) return [];
  if (message.role === "assistant") return textsOf(message);
  const results = resultsOf(message);
  const result = results[offset];
  if (result !== undefined) return [result];
  const parts = partsOf(message, settings);
  if (part === undefined) return [...new Set(parts)];
  return part < 0 ? [] : parts.slice(part, part + 1);
}

/** The text of a reply is sent as one. */
function textsOf({ content }: Message): number[] {
  return content.flatMap(({ type }, index) => (type === "text" ? [index] : []));
}

/** Each result is a message. */
function resultsOf({ content }: Message): number[] {
  return content.flatMap(({ type }, index) => (type === "tool_result" ? [index] : []));
}

/** What else is said follows them, and the images of results with it: the block of each part. */
function partsOf({ content }: Message, { capabilities }: Settings): number[] {
  return content.flatMap((block, index) => {
    if (block.type !== "tool_result") return [index];
    return capabilities.images ? block.content.flatMap(({ type }) => (type === "image" ? [index] : [])) : [];
  });
}
