import { equal } from "node:assert/strict";
import { test } from "node:test";
import { invoice } from "../src/invoice.js";
import { quote } from "../src/quote.js";

const items = [{ name: "Tea", price: 250, quantity: 2 }];

test("an invoice ends with the total", () =>
  equal(invoice(items, 0.2).split("\n").at(-2), "Total...................      6.00 EUR"));
test("a quote does so, too", () =>
  equal(quote(items, 0.2).split("\n").at(-2), "Total, about                  6.00 EUR"));
