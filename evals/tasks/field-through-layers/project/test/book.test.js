import { equal } from "node:assert/strict";
import { test } from "node:test";
import { add, cards } from "../src/book.js";

test("what was added is shown", () => {
  equal(cards(add("", { name: "Ada", mail: "ada@example.com" })), "Name: Ada\nMail: ada@example.com");
});
