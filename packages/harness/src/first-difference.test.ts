import { expect, test } from "vitest";
import { brief, firstDifference } from "./first-difference.ts";

test.each<[unknown, unknown]>([
  [1, 1],
  [undefined, undefined],
  [
    { a: 1, b: [null, "x"] },
    { b: [null, "x"], a: 1 },
  ],
  [{ a: 1, b: undefined }, { a: 1 }],
  [Number.NaN, Number.NaN],
])("%j and %j are equal", (a, b) => expect(firstDifference(a, b)).toBeUndefined());

test.each<[string, unknown, unknown, [string, string, string]]>([
  ["a number", { a: { b: [1, 2] } }, { a: { b: [1, 3] } }, ["a.b[1]", "2", "3"]],
  ["one that is missing", { a: [1] }, { a: [1, { b: 2 }] }, ["a[1]", "nothing", '{"b":2}']],
  ["a field that is gone", { a: 1, b: 2 }, { a: 1 }, ["b", "2", "nothing"]],
  ["a field that is new", {}, { b: null }, ["b", "nothing", "null"]],
  ["another kind", { a: [] }, { a: {} }, ["a", "[]", "{}"]],
  ["null and an object", null, {}, ["", "null", "{}"]],
  ["a short text", "one", "on", ["", '"one"', '"on"']],
  ["the first of two", { a: 1, b: 1 }, { a: 2, b: 2 }, ["a", "1", "2"]],
])("%s is found", (_, expected, actual, [path, was, is]) =>
  expect(firstDifference(expected, actual)).toEqual({ path, expected: was, actual: is }),
);

test("long texts are shown around the place where they part", () => {
  const text = "0123456789".repeat(20);
  expect(firstDifference({ text }, { text: text.replace("9012345678901", "901234X678901") }, "message")).toEqual({
    path: "message.text",
    expected: `"${text.slice(0, 90)}"…`,
    actual: `"${text.slice(0, 90).replace("9012345678901", "901234X678901")}"…`,
  });
  const late = `${text}\n"end"`;
  expect(firstDifference(late, text)).toEqual({
    path: "",
    expected: String.raw`…"${text.slice(-24)}\n\"end\""`,
    actual: `…"${text.slice(-24)}"`,
  });
});

test("a long value is cut", () => {
  expect(brief(["x".repeat(200)])).toBe(`["${"x".repeat(88)}…`);
  expect([brief(undefined), brief(false)]).toEqual(["nothing", "false"]);
});
