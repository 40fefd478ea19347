import { expect, test } from "vitest";
import { readEntered, type Entered } from "./entered.ts";

test.each<[string, Entered]>([
  ["  \n ", { kind: "nothing" }],
  ["Where is main?", { kind: "message", text: "Where is main?" }],
  ["/help", { kind: "command", name: "help", rest: "" }],
  ["/undo  2 ", { kind: "command", name: "undo", rest: "2" }],
  ["/review a.ts\nand b.ts", { kind: "command", name: "review", rest: "a.ts\nand b.ts" }],
  ["/frontend:test", { kind: "command", name: "frontend:test", rest: "" }],
  ["//help is a command", { kind: "message", text: "/help is a command" }],
  [" /help is a command", { kind: "message", text: "/help is a command" }],
  [" !important", { kind: "message", text: "!important" }],
  ["/usr/bin is full", { kind: "message", text: "/usr/bin is full" }],
  ["/", { kind: "message", text: "/" }],
  ["!git status", { kind: "shell", command: "git status" }],
  ["!", { kind: "message", text: "!" }],
])("%j is read", (entered, read) => {
  expect(readEntered(entered)).toEqual(read);
});
