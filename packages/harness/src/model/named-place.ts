/** The place in a request that a service names where it refuses it. */

import type { Failure } from "../error.ts";

/** Of the messages as they were sent, and of the parts of one; without a part, all of the message is meant. */
export type NamedPlace = { message: number; part: number | undefined };

/** `messages.3.content.1.image: …`, `Invalid 'messages[3].content[1].image_url'`… Undefined where no content is named. */
export function placeNamedBy({ code, message }: Failure): NamedPlace | undefined {
  if (code !== "E_BAD_REQUEST") return undefined;
  const [, index, part] = /\bmessages\W{1,2}(\d{1,6})\W{1,2}content(?:\W{1,2}(\d{1,6}))?\b/.exec(message) ?? [];
  return index === undefined
    ? undefined
    : { message: Number(index), part: part === undefined ? undefined : Number(part) };
}
