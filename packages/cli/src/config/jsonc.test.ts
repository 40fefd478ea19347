import { expect, test } from "vitest";
import { parseJsonc } from "./jsonc.ts";

test("comments, last commas and a byte order mark are welcome, and every value has its place", () => {
  const parsed = parseJsonc('\ufeff// hi\n{\n  "a": { "b": [1, /* two */ 2,] },\n}\n');
  if ("problems" in parsed) throw new Error("it is good");
  const { value, positionOf } = parsed.document;
  expect(value).toEqual({ a: { b: [1, 2] } });
  expect([positionOf([]), positionOf(["a"]), positionOf(["a", "b", 1]), positionOf(["a", "b"], "key")]).toEqual([
    { line: 2, column: 1 },
    { line: 3, column: 8 },
    { line: 3, column: 29 },
    { line: 3, column: 10 },
  ]);
  expect(positionOf(["a", "gone", 7])).toEqual({ line: 3, column: 8 });
});

test.each(["", "  \n", "// only words"])("%j is an empty object", (text) => {
  expect(parseJsonc(text)).toMatchObject({ document: { value: {} } });
});

test("a key called __proto__ is a key like others", () => {
  const parsed = parseJsonc('{"__proto__": {"model": "x"}, "constructor": 1}');
  if ("problems" in parsed) throw new Error("it is good");
  expect([Object.keys(Object(parsed.document.value)), Object.getPrototypeOf(parsed.document.value)]).toEqual([
    ["__proto__", "constructor"],
    Object.prototype,
  ]);
});

test.each([
  ['{"a": 1, "b": 2,\n "a": 3}', [{ line: 2, column: 2, message: '"a" stands here a second time.' }]],
  ['{"a": }', [{ line: 1, column: 7, message: "Value expected." }]],
  ['{"a": 1', [{ line: 1, column: 8, message: "Close brace expected." }]],
  ["{'a': 1}", [{ line: 1, column: 2, message: "Invalid symbol." }]],
  ['{"a": "\u0001"}', [{ line: 1, column: 7, message: "Invalid character." }]],
  ["[".repeat(30_000), [{ line: 1, column: 21, message: "Nested more than 20 deep." }]],
])("%j is a mistake with a place", (text, problems) => {
  expect(parseJsonc(text)).toEqual({ problems: expect.arrayContaining(problems) });
});

test("a bracket in a string or a comment is no nesting", () => {
  expect(parseJsonc(`{"a": "${"[{".repeat(100)}" /* ${"[".repeat(100)} */}`)).toHaveProperty("document");
});
