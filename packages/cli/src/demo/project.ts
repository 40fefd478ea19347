/** The project of the demo: a test of it fails, and nothing has to be installed to run it. */

/** The program that checks it, in few lines. */
export const check = ["node", "--test", "--test-reporter=dot"] as const;

export const task = "The tests fail. Find out why, and make them pass.";

/** The file that is wrong, and what is wrong with it. */
export const culprit = "src/cart.js";
export const wrong = "all + item.price";

const cart = `/** What a cart costs, in cents. */
export function total(items) {
  return items.reduce((all, item) => ${wrong}, 0);
}
`;

const test = `import { equal } from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/cart.js";

Error.stackTraceLimit = 0;

test("every item counts", () => equal(total([{ price: 250, quantity: 1 }, { price: 100, quantity: 1 }]), 350));
test("an item counts as often as it is bought", () => equal(total([{ price: 250, quantity: 3 }]), 750));
`;

/** By path. */
export const files: Readonly<Record<string, string>> = {
  "package.json": `{ "type": "module", "scripts": { "test": "${check.join(" ")}" } }\n`,
  [culprit]: cart,
  "test/cart.test.js": test,
};
