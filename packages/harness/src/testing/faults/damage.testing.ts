/** `fetch` between croft and a service, where answers are damaged on their way. */

import type { Api } from "../interruptions.testing.ts";
import type { Damage } from "./schedule.testing.ts";

/** What arrives of an answer, and what becomes of the connection then. */
type Arrived = { text: string; end: "end" | "reset" | "silence" };

/** The answer as it arrives. */
export function damaged(text: string, damage: Damage, api: Api): Arrived {
  const events = text.split(/(?<=\n\n)/);
  if (damage.kind === "cut") return { text: text.slice(0, Math.floor(text.length * damage.at)), end: damage.how };
  if (damage.kind === "unfinished") return { text: events.filter((one) => !ends[api].test(one)).join(""), end: "end" };
  const before = upTo(events, damage.at);
  if (damage.kind === "error") return { text: [...before, errorEvents[api](damage.type)].join(""), end: "end" };
  return { text: [...before, damage.text, ...events.slice(before.length)].join(""), end: "end" };
}

function upTo(events: readonly string[], at: number): readonly string[] {
  return events.slice(0, Math.floor(events.length * at));
}

const errorEvents: Readonly<Record<Api, (type: string) => string>> = {
  messages: (type) =>
    `event: error\ndata: ${JSON.stringify({ type: "error", error: { type, message: "It broke." } })}\n\n`,
  chat: (code) => `data: ${JSON.stringify({ error: { code, message: "It broke." } })}\n\n`,
};

const ends: Readonly<Record<Api, RegExp>> = {
  messages: /"type":"message_delta"/,
  chat: /"finish_reason":"|"usage":\{/,
};

const reports: Readonly<Record<Api, RegExp>> = {
  messages: /"type":"message_delta".*\n\n/,
  chat: /"usage":\{.*\n\n/,
};

/** Whether the count of the whole answer arrived. */
export function isCounted({ text }: Arrived, api: Api): boolean {
  return reports[api].test(text);
}

/** Whether an error is all that arrived. */
export function isRefusal({ text }: Arrived, { kind }: Damage): boolean {
  return kind === "error" && /^(?:event: error|data: \{"error")/.test(text);
}

export function responseOf({ text, end }: Arrived, { status, headers }: Response): Response {
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text));
        if (end === "end") controller.close();
      },
      // Only once what came before has been read: an error throws away what waits.
      pull(controller) {
        if (end === "reset") controller.error(new TypeError("terminated"));
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status, headers });
}

/** As `fetch` fails where a connection breaks, or never comes about. */
export function connectionError(code: "ECONNRESET" | "ECONNREFUSED"): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
}
