import { expect, test } from "vitest";
import { asksToChange } from "./asked-for.ts";

const path = "test/add.test.js";

test.each([
  "Rename add to plus and update the tests.",
  "Adapt the unit tests to the new name",
  "Make add subtract; change its tests too",
  "Rewrite test/add.test.js with node:test",
  "edit `add.test.js`",
  "Migrate the existing specs to vitest",
])("%s", (task) => {
  expect(asksToChange(task, path, "changed")).toBe(true);
});

test.each([
  "Fix the tests.",
  "Make add return a - b.",
  "The test in test/add.test.js fails: make it pass",
  "Change the code so that the tests pass",
  "Change add.js and run the tests",
  "Do not change the tests",
  "Make it pass without changing anything; never edit the tests",
  "Make add faster, you must not update the tests",
])("not: %s", (task) => {
  expect(asksToChange(task, path, "changed")).toBe(false);
});

test("removing is asked for with another verb, and how tests are run by its name alone", () => {
  expect(asksToChange("Update the tests", path, "deleted")).toBe(false);
  expect(asksToChange("Remove the old tests", path, "deleted")).toBe(true);
  expect(asksToChange("Update the tests", "package.json", "changed")).toBe(false);
  expect(asksToChange("Update package.json", "package.json", "changed")).toBe(true);
  expect(asksToChange("Update node_modules/.bin/jest", "node_modules/.bin/jest", "changed")).toBe(false);
});
