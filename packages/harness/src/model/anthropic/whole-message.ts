/** An answer that comes in one piece though a stream was asked for: from gateways, and where something went wrong. */

import { fieldsOf, isObject, listIn } from "../../json.ts";
import { malformed } from "./failures.ts";

/** The events it would have streamed as. Throws E_BAD_ANSWER for what is neither a message nor an error. */
export function* eventsOfWhole(answer: unknown): Generator {
  const message = fieldsOf(answer);
  const { error, stop_reason, usage } = message;
  if (isObject(error)) yield { type: "error", error };
  else if (message["type"] !== "message") throw malformed("it is neither a stream nor a message");
  else {
    yield { type: "message_start", message };
    for (const [index, content_block] of listIn(message, "content").entries()) {
      yield { type: "content_block_start", index, content_block };
    }
    yield { type: "message_delta", delta: { stop_reason }, usage };
    yield { type: "message_stop" };
  }
}
