import { expect, test } from "vitest";
import { asksToChange } from "./asked-for.ts";

const file = { path: "test/add.test.js", kind: "test", how: "changed" } as const;
const manifest = { path: "package.json", kind: "definition", how: "changed" } as const;
const source = { path: "src/lib.rs", kind: "source", how: "changed" } as const;
const program = { path: "node_modules/.bin/jest", kind: "program", how: "changed" } as const;

test.each([
  "Rename add to plus and update the tests.",
  "Adapt the unit tests to the new name",
  "Make add subtract; change its tests too",
  "Rewrite test/add.test.js with node:test",
  "edit `add.test.js`",
  "Migrate the existing specs to vitest",
  "Change the test.",
  "Adapt the unit test for add",
])("%s", (task) => {
  expect(asksToChange(task, file)).toBe(true);
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
  "Change the test runner to vitest",
  "Update test coverage in the README",
])("not: %s", (task) => {
  expect(asksToChange(task, file)).toBe(false);
});

test("removing is asked for with another verb, and how tests are run by its name alone", () => {
  expect(asksToChange("Update the tests", { ...file, how: "deleted" })).toBe(false);
  expect(asksToChange("Remove the old tests", { ...file, how: "deleted" })).toBe(true);
  expect(asksToChange("Update the tests", manifest)).toBe(false);
  expect(asksToChange("Update package.json", manifest)).toBe(true);
  expect(asksToChange("Update node_modules/.bin/jest", program)).toBe(false);
});

test("tests within a source file are not meant by its name", () => {
  expect(asksToChange("Change src/lib.rs so that add subtracts", source)).toBe(false);
  expect(asksToChange("Make add subtract and update the tests", source)).toBe(true);
});
