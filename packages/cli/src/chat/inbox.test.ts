import { expect, test } from "vitest";
import { messageIn } from "./entered.ts";
import { createInbox } from "./inbox.ts";

test("entries come in order, and whoever waits gets the next one", async () => {
  const seen: (readonly string[])[] = [];
  const inbox = createInbox(() => seen.push(inbox.texts));
  const first = inbox.next();
  inbox.add({ text: "a", when: "now" });
  inbox.add({ text: "b", when: "later" });
  expect(await first).toEqual({ text: "a", when: "now" });
  expect(await inbox.next()).toEqual({ text: "b", when: "later" });
  expect(seen).toEqual([["a"], ["a", "b"], ["b"], []]);
});

test("a running turn hears what is meant for it, and nothing that was entered behind a command", () => {
  const inbox = createInbox(() => undefined);
  inbox.add({ text: "a", when: "now" });
  inbox.add({ text: "b", when: "later" });
  for (const text of ["c", "/undo", "d"]) inbox.add({ text, when: "now" });
  expect(inbox.forTurn(messageIn)).toEqual(["a", "c"]);
  expect(inbox.forTurn(messageIn)).toEqual([]);
  expect(inbox.texts).toEqual(["b", "/undo", "d"]);
});

test("what waits can be taken back, the last first", () => {
  const inbox = createInbox(() => undefined);
  inbox.add({ text: "a", when: "later" });
  inbox.add({ text: "b", when: "later" });
  expect([inbox.last(), inbox.last(), inbox.last()]).toEqual(["b", "a", undefined]);
});

test("a shut inbox lets go whoever waits, and takes nothing more", async () => {
  const inbox = createInbox(() => undefined);
  const next = inbox.next();
  inbox.shut();
  inbox.add({ text: "a", when: "now" });
  expect([await next, await inbox.next(), inbox.texts]).toEqual([undefined, undefined, []]);
});
