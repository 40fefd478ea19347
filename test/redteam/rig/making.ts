/** A model that makes the calls of a row: each as one or more calls of the toolset at hand, one behind the other. */

import { call, say, type MessagesServerOptions, type ServerReply } from "@croft/harness/testing";
import type { Told } from "./row.ts";

export type Call = { name: string; input: Readonly<Record<string, unknown>> };

/** Makes calls, sees the result of each before the next, and gives what all of them came to. */
export type Making = Generator<Call, Told, Told>;

export type Maker = {
  script: Extract<MessagesServerOptions["script"], (...given: never[]) => unknown>;
  /** One for each call of the row, in their order; no result where croft came to its end before. */
  told: () => Told[];
};

/** `make`: how a call is made. */
export function makerOf(steps: readonly ServerReply[], make: (call: Call) => Making): Maker {
  const waiting = [...steps];
  const told: (Told | undefined)[] = [];
  let open: { at: number; making: Making; next: Call }[] = [];

  function begin(step: ServerReply): ServerReply {
    const begun = callsOf(step).map((call) => ({ making: make(call), at: told.push(undefined) - 1 }));
    open = begun.flatMap(({ making, at }) => going(at, making, making.next()));
    return begun.length === 0 ? step : replyOf(open);
  }

  /** What goes on; what has come to its end is told. */
  function going(at: number, making: Making, { done, value }: IteratorResult<Call, Told>): typeof open {
    if (done !== true) return [{ at, making, next: value }];
    told[at] = value;
    return [];
  }

  return {
    script({ messages }) {
      const results = resultsIn(messages.at(-1)?.content);
      open = open.flatMap(({ at, making }, index) => {
        const result = results[index];
        return result === undefined ? [] : going(at, making, making.next(result));
      });
      if (open.length > 0) return replyOf(open);
      const step = waiting.shift();
      return step === undefined ? say("Done.") : begin(step);
    },
    told: () => told.flatMap((one) => one ?? []),
  };
}

/** What is called in a reply, however it is written. */
export function callsOf(step: ServerReply): Call[] {
  const parts: readonly unknown[] = "type" in step ? [step] : Array.isArray(step) ? step : [];
  return parts.flatMap((part) => {
    const { type, name, input } = Object(part);
    return type === "tool_use" ? [{ name: String(name), input: Object(input) }] : [];
  });
}

function replyOf(open: readonly { next: Call }[]): ServerReply {
  return open.map(({ next: { name, input } }) => call(name, input));
}

function resultsIn(content: unknown): Told[] {
  const blocks: unknown[] = Array.isArray(content) ? content : [];
  return blocks.map(Object).flatMap((block) => {
    if (block.type !== "tool_result") return [];
    const parts: unknown[] = Array.isArray(block.content) ? block.content : [];
    return [{ text: parts.map((part) => Object(part).text).join("\n"), failed: block.is_error === true }];
  });
}
