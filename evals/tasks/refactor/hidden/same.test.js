import { doesNotMatch, equal, match } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { invoice } from "../src/invoice.js";
import { line, money } from "../src/layout.js";
import { quote } from "../src/quote.js";

const items = [
  { name: "Tea", price: 333, quantity: 1 },
  { name: "A name that is much too long for it", price: 1_050, quantity: 12 },
  { name: "Voucher", price: -5, quantity: 1 },
  { name: "Nothing", price: 0, quantity: 0 },
  { name: "Cake", price: 333, quantity: 1 },
];

test("the invoice is what it was", () => {
  const expected = `INVOICE
1 x Tea.................      3.33 EUR
12 x A name that is much    126.00 EUR
1 x Voucher.............     -0.05 EUR
0 x Nothing.............      0.00 EUR
1 x Cake................      3.33 EUR
Tax.....................      9.82 EUR
Total...................    142.43 EUR
`;
  equal(invoice(items, 0.074), expected);
});

test("the quote is what it was", () => {
  const expected = `QUOTE (not binding)
1 x Tea                       3.33 EUR
12 x A name that is much    126.00 EUR
1 x Voucher                  -0.05 EUR
0 x Nothing                   0.00 EUR
1 x Cake                      3.33 EUR
Tax                           9.81 EUR
Total, about                142.42 EUR
`;
  equal(quote(items, 0.074), expected);
});

test("both use what they share", () => {
  equal(money(-1205), "-12.05 EUR");
  equal(typeof line, "function");
  for (const name of ["invoice", "quote"]) {
    const source = readFileSync(new URL(`../src/${name}.js`, import.meta.url), "utf8");
    match(source, /from "\.\/layout\.js"/);
    doesNotMatch(source, /padStart|padEnd|EUR/);
  }
});
