/** Answers onto the wire, whole or broken off where the script says so. */

import type { ServerResponse } from "node:http";
import { setImmediate as turnOfLoop, setTimeout as delay } from "node:timers/promises";
import type { Delivery, PlainAnswer } from "./delivery.ts";

export function sendPlain({ status, headers, body }: PlainAnswer, response: ServerResponse): void {
  response.writeHead(status, headers).end(body);
}

/** Sends events of a stream; true once all of them went out. A client that goes away ends it early. */
export async function sendStream(
  events: readonly string[],
  delivery: Delivery,
  response: ServerResponse,
): Promise<boolean> {
  const { delayMs = 0, paceMs = 0, broken } = delivery;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  try {
    if (delayMs > 0) await delay(delayMs, undefined, { signal: gone.signal });
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "request-id": "req_test" });
    response.flushHeaders();
    for (const bytes of writesOf(events, delivery)) {
      if (gone.signal.aborted) return false;
      await new Promise((resolve) => response.write(bytes, resolve));
      await (paceMs > 0 ? delay(paceMs, undefined, { signal: gone.signal }) : turnOfLoop());
    }
  } catch (error) {
    if (gone.signal.aborted) return false;
    throw error;
  }
  if (broken?.how === "reset") response.destroy();
  else if (broken?.how !== "silence") response.end();
  return broken === undefined;
}

function writesOf(events: readonly string[], { chunk, paceMs = 0, broken }: Delivery): Buffer[] {
  if (paceMs > 0 && chunk === undefined && broken === undefined) return events.map((event) => Buffer.from(event));
  const all = Buffer.from(events.join(""));
  const bytes = all.subarray(0, broken?.at ?? all.length);
  const size = chunk ?? Math.max(1, bytes.length);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}
