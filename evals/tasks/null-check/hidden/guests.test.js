import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { label } from "../src/label.js";
import { salesByCity, totalOf } from "../src/report.js";

const items = [{ price: 100, quantity: 1 }];
const address = { street: "1 High St", city: "London" };

test("orders without customer or address belong to an unknown city", () => {
  const orders = [
    { customer: null, items },
    { items },
    { customer: { level: "gold", address: null }, items },
    { customer: { level: "silver" }, items },
    { customer: { address }, items },
  ];
  deepEqual(salesByCity(orders), { unknown: 100 + 100 + 90 + 95, London: 100 });
});

test("a guest has no discount, and an agreed one of nothing is one", () => {
  equal(totalOf({ customer: null, items }), 100);
  equal(totalOf({ customer: { level: "gold", agreed: 0 }, items }), 100);
  equal(totalOf({ customer: { level: "gold", agreed: 0.5 }, items }), 50);
  equal(totalOf({ customer: { level: "gold", agreed: null }, items }), 90);
});

test("a label can be printed for anybody", () => {
  equal(label({ customer: { name: "Ada", address } }), "ADA\n1 High St\nLondon");
  for (const order of [
    { customer: null },
    {},
    { customer: { name: "Ada", address: null } },
    { customer: { address } },
  ]) {
    equal(typeof label(order), "string");
    equal(/undefined|null/i.test(label(order)), false);
  }
});
