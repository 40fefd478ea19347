/** Where a session is cut in two: what was said first, and the latest exchanges. */

import type { Message } from "../message.ts";
import { bytesOf } from "./prompt-size.ts";

/**
 * The first place from which on the messages have at most so many bytes: before an assistant's message or the user's
 * words, never between a call and its result. Undefined: there is none but the end.
 */
export function cutAt(messages: readonly Message[], most: number): number | undefined {
  let cut: number | undefined;
  let bytes = 0;
  for (let at = messages.length - 1; at > 0; at -= 1) {
    const message = messages[at];
    if (message === undefined) continue;
    bytes += bytesOf([message]);
    if (bytes > most) break;
    if (message.role === "assistant" || message.content.every(({ type }) => type !== "tool_result")) cut = at;
  }
  return cut;
}
