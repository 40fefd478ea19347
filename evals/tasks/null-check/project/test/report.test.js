import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { label } from "../src/label.js";
import { salesByCity } from "../src/report.js";

const ada = { name: "Ada", level: "gold", address: { street: "1 High St", city: "London" } };

test("sales count for the customer's city", () => {
  deepEqual(salesByCity([{ customer: ada, items: [{ price: 100, quantity: 2 }] }]), { London: 180 });
});
test("a parcel has name and address", () => equal(label({ customer: ada }), "ADA\n1 High St\nLondon"));
