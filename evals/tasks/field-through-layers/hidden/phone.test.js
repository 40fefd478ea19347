import { equal, throws } from "node:assert/strict";
import { test } from "node:test";
import { add, cards } from "../src/book.js";

const ada = { name: "Ada", mail: "ada@example.com" };
const plain = "Name: Ada\nMail: ada@example.com";

test("a phone number goes through all layers", () => {
  const text = add("", { ...ada, phone: " +44 20 7946 " });
  equal(cards(text), `${plain}\nPhone: +44 20 7946`);
  equal(cards(add(text, ada)), `${plain}\nPhone: +44 20 7946\n\n${plain}`);
});

test("without one all is as it was", () => {
  for (const phone of [undefined, "", "  "]) equal(cards(add("", { ...ada, phone })), plain);
  equal(cards("Ada\tada@example.com\n"), plain);
  equal(cards(add("Ada\tada@example.com\n", { ...ada, phone: "123" })), `${plain}\n\n${plain}\nPhone: 123`);
});

test("what is no number is refused", () => {
  for (const phone of ["12a", "1+2", "++1", "+", "1\t2"]) {
    throws(() => add("", { ...ada, phone }), /^Error: phone: digits only$/, phone);
  }
});
