import type { Event } from "@croft/harness";
import { noUsage } from "@croft/harness";
import { expect, test } from "vitest";
import { streamed } from "./streamed.ts";

const text = (piece: string): Event => ({ type: "delta", delta: { type: "text", text: piece } });
const message = (said: string): Event => ({
  type: "message",
  message: { role: "assistant", content: [{ type: "text", text: said }], origin: { provider: "p", model: "m" } },
});
const stop = (answer: string): Event => ({
  type: "stop",
  status: "done",
  steps: 1,
  usage: noUsage,
  dollars: undefined,
  answer,
});

function shown(events: readonly Event[]): { out: string; rest: Event[] } {
  let out = "";
  const rest: Event[] = [];
  const show = streamed(
    { write: (piece) => (out += piece), flushed: async () => {}, broken: () => undefined },
    (event) => rest.push(event),
  );
  for (const event of events) show(event);
  return { out, rest };
}

test("text comes in whole lines as it streams, escapes written out, and is not told again at the end", () => {
  const events = [text("One\nTw"), text("o \u001b[2J"), text("\nend"), message("One\nTwo \u001b[2J\nend"), stop("all")];
  expect(shown(events)).toEqual({ out: "One\nTwo \\x1b[2J\nend\n", rest: [stop("")] });
});

test("a model that does not stream has its answer told at the end", () => {
  expect(shown([message("All"), stop("All")])).toEqual({ out: "", rest: [message("All"), stop("All")] });
});

test("what was streamed for a call does not take the place of an answer that was not", () => {
  const events = [text("Looking"), message("Looking"), message("Found"), stop("Found")];
  expect(shown(events)).toEqual({ out: "Looking\n", rest: [message("Found"), stop("Found")] });
});

test("a reply that is begun again is told", () => {
  const events: Event[] = [
    text("a\nb"),
    { type: "delta", delta: { type: "discard" } },
    text("c"),
    message("c"),
    stop("c"),
  ];
  expect(shown(events).out).toBe("a\nb\n(the reply is begun again)\nc\n");
});
