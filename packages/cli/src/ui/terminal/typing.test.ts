import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { openDecoder } from "./keys.ts";
import { openTyping, type Typed } from "./typing.ts";

/** What comes of reads, some of them with a moment behind them. */
async function typed(...reads: (string | number)[]): Promise<Typed[]> {
  const given: Typed[] = [];
  const decoder = openDecoder();
  const typing = openTyping((token) => given.push(token));
  for (const read of reads) {
    if (typeof read === "number") await setTimeout(read);
    else typing.take(decoder.feed(read));
  }
  await setTimeout(60);
  typing.close();
  return given;
}

const enter = { type: "key", key: "enter" };

test("text and Enter are a message", async () => {
  expect(await typed("hello\r")).toEqual([{ type: "text", text: "hello" }, enter]);
});

test.each([
  ["in a read for each key", ["a", "\r", "b", "\r", "c", "\r"]],
  ["the first of them alone", ["a", "\r\nb\r\nc\r\n"]],
])("lines that come at once are pasted, no message: %s", async (_, reads) => {
  expect(await typed(...reads)).toEqual([
    { type: "text", text: "a" },
    { type: "paste", text: "\nb\nc" },
  ]);
});

test.each(["a\rb\rc\r", "a\r\nb\r\nc\r\n", "\u001b[201~a\rb\rc"])(
  "%j in one read is a paste from its first letter on",
  async (read) => {
    expect(await typed(read)).toEqual([{ type: "paste", text: "a\nb\nc" }]);
  },
);

test("Enter a moment behind a paste is pressed", async () => {
  expect(await typed("\u001b[200~a\u001b[201~", 100, "\r")).toEqual([{ type: "paste", text: "a" }, enter]);
});

test("what follows a paste that was ended by its own text belongs to it", async () => {
  expect(await typed("\u001b[200~a\u001b[201~", "rm -rf /\r", "\u001b[201~", 100, "x")).toEqual([
    { type: "paste", text: "a" },
    { type: "paste", text: "rm -rf /" },
    { type: "text", text: "x" },
  ]);
});
