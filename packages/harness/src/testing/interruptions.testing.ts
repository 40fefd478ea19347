/** The moments at which a run can be broken off, and what can break it, for tests over both APIs. */

import { z } from "zod";
import type { Check } from "../check/check.ts";
import type { Ask } from "../gate/questions.ts";
import { anthropic } from "../model/anthropic.ts";
import { chatCompletions } from "../model/chat-completions.ts";
import type { Model } from "../model/model.ts";
import type { Part } from "../model/scripted.ts";
import { httpError as chatError } from "./chat-server/script.ts";
import { startChatServer } from "./chat-server/chat-server.ts";
import { startMessagesServer } from "./messages-server/messages-server.ts";
import { httpError } from "./messages-server/script.ts";
import { defineTool, textResult, type Effect, type Tool } from "../tool/tool.ts";

/** A reply in the words of either API; `refused`: what stands last in the request is refused, from now on. */
export type Said = {
  parts: readonly (Part | { type: "raw_call"; name: string; json: string })[];
  stop?: "max_tokens" | "refusal" | undefined;
  refused?: true | undefined;
};

export const fine: Said = { parts: [{ type: "text", text: "Fine." }] };

export type Api = "messages" | "chat";

/** Where a stream is held, and what becomes of it there. */
export type Trap = { stage: StreamStage; act: "hang" | "cut" };
export const streamStages = [
  "before the request",
  "before the first event",
  "in thinking",
  "in text",
  "in the input of a call",
  "between a call and the end of the message",
] as const;
export type StreamStage = (typeof streamStages)[number];

export type Service = {
  model: Model;
  rejections: readonly string[];
  close: () => Promise<void>;
};

/** A strict server that answers with what `next` gives. `trap` is looked at once, with each request. */
export async function serveApi(
  api: Api,
  next: () => Said,
  trap: () => Trap | undefined,
  reached: () => void,
): Promise<Service> {
  const fetch = trapped(api, trap, reached);
  const refusing = refuser();
  if (api === "messages") {
    const server = await startMessagesServer({
      script({ messages }) {
        const parts = messages.map(({ content }) => content[0]);
        const known = refusing.placeIn(parts);
        const { refused, ...said } = known === undefined ? next() : fine;
        if (refused === true) refusing.refuse(parts.at(-1));
        const place = refusing.placeIn(parts);
        return place === undefined ? said : httpError(400, `messages.${place}.content.0: not valid`);
      },
    });
    const model = anthropic({ model: "claude-opus-5-5", apiKey: "test-key", baseUrl: server.url, fetch });
    return { model, rejections: server.rejections, close: () => server.close() };
  }
  const server = await startChatServer({
    script({ messages }) {
      const known = refusing.placeIn(messages);
      const { refused, parts, stop } = known === undefined ? next() : fine;
      if (refused === true) refusing.refuse(messages.at(-1));
      const place = refusing.placeIn(messages);
      if (place !== undefined) return chatError(400, `Invalid 'messages[${place}].content': not valid`);
      return { parts, finish: stop === undefined ? undefined : finishes[stop] };
    },
  });
  const model = chatCompletions({ provider: "test", model: "test", apiKey: "test-key", baseUrl: server.url, fetch });
  return { model, rejections: server.rejections, close: () => server.close() };
}

/** What is refused once is refused for as long as it stands in a request. */
export function refuser(): {
  refuse: (part: unknown) => void;
  placeIn: (parts: readonly unknown[]) => number | undefined;
} {
  let refused: string | undefined;
  return {
    refuse(part) {
      refused = JSON.stringify(part);
    },
    placeIn(parts) {
      const place = parts.findIndex((part) => refused !== undefined && JSON.stringify(part) === refused);
      return place === -1 ? undefined : place;
    },
  };
}

const finishes = { max_tokens: "length", refusal: "content_filter" };

/** The event at which a stage is reached; `before`: it is not delivered any more. */
type Mark = { event: RegExp; before: boolean };

const marks: Readonly<Record<Api, Readonly<Record<StreamStage, Mark>>>> = {
  messages: {
    "before the request": { event: /^/, before: true },
    "before the first event": { event: /^/, before: true },
    "in thinking": { event: /thinking_delta/, before: false },
    "in text": { event: /text_delta/, before: false },
    "in the input of a call": { event: /input_json_delta/, before: false },
    "between a call and the end of the message": { event: /"message_delta"/, before: true },
  },
  chat: {
    "before the request": { event: /^/, before: true },
    "before the first event": { event: /^/, before: true },
    "in thinking": { event: /"reasoning[^"]*":"./, before: false },
    "in text": { event: /"content":"./, before: false },
    "in the input of a call": { event: /"arguments":"./, before: false },
    "between a call and the end of the message": { event: /"finish_reason":"/, before: true },
  },
};

/** `fetch` with a trap in it: the answer arrives up to a stage, and then no further. */
function trapped(api: Api, next: () => Trap | undefined, reached: () => void): typeof globalThis.fetch {
  return async (url, init) => {
    const trap = next();
    if (trap === undefined) return fetch(url, init);
    const { stage, act } = trap;
    if (stage === "before the request") {
      reached();
      if (act === "cut")
        throw new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) });
      return new Promise((_, reject) => {
        const abort = (): void => reject(new DOMException("aborted", "AbortError"));
        if (init?.signal?.aborted === true) abort();
        init?.signal?.addEventListener("abort", abort, { once: true });
      });
    }
    const response = await fetch(url, init);
    const body = upTo(response, marks[api][stage], act, reached);
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

function upTo(response: Response, mark: Mark, act: Trap["act"], reached: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let events: string[] | undefined;
  let hangs = false;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      events ??= (await response.text()).split(/(?<=\n\n)/);
      if (hangs) return new Promise(() => {});
      const event = events.shift() ?? "";
      const isHere = mark.event.test(event);
      if (!(isHere && mark.before)) controller.enqueue(encoder.encode(event));
      if (!isHere) return events.length === 0 ? controller.close() : undefined;
      reached();
      hangs = true;
      if (act === "cut") controller.error(new TypeError("terminated"));
      return undefined;
    },
  });
}

/** A tool that says when it runs, and then runs until it is stopped. */
export function slowTool(effect: Effect, reached: () => void): Tool {
  return defineTool({
    name: `slow_${effect}`,
    description: "Slow.",
    input: z.object({}),
    effect,
    async run(_, { signal }) {
      reached();
      await stopped(signal);
      return textResult("Never.");
    },
  });
}

/** A tool with a result that is much too long, and one whose result is no valid Unicode. */
export const oddTools: readonly Tool[] = [
  ["huge", "x".repeat(300_000)],
  ["halves", "\ud800 and \udc00"],
].map(([name = "", text = ""]) =>
  defineTool({ name, description: "Odd.", input: z.object({}), effect: "read", run: async () => textResult(text) }),
);

export function slowCheck(reached: () => void): Check {
  return {
    name: "slow",
    rounds: 1,
    async run(_turn, _emit, signal) {
      reached();
      await stopped(signal);
      return { pass: true };
    },
  };
}

export function slowPerson(reached: () => void): Ask {
  return async (_, signal) => {
    reached();
    await stopped(signal);
    return { allowed: false };
  };
}

/** Throws once the signal has fired. */
async function stopped(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
  });
}
