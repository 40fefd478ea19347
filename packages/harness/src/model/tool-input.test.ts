import fc from "fast-check";
import { expect, test } from "vitest";
import { parseToolInput } from "./tool-input.ts";

test("every JSON object comes back as it was, and no cut of one does", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue()), fc.nat(), (input, cut) => {
      const raw = JSON.stringify(input);
      expect(parseToolInput(raw)).toEqual({ input: JSON.parse(raw) });
      const part = raw.slice(0, cut % raw.length);
      expect(Object.keys(parseToolInput(part))).toEqual([part === "" ? "input" : "problem"]);
    }),
  );
});

test.each([
  ["", { input: {} }],
  [" \n", { input: {} }],
  ["[]", { problem: "The input must be one JSON object, but it is an array." }],
  ["null", { problem: "The input must be one JSON object, but it is null." }],
  ["12", { problem: "The input must be one JSON object, but it is a number." }],
  [
    "{",
    { problem: "The input is not valid JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)." },
  ],
  [
    `{"a":${"[".repeat(9_999)}${"]".repeat(9_999)}}`,
    { problem: "The input is not valid JSON: nested more than 256 levels deep." },
  ],
  ['{"a":', { problem: "The input is not valid JSON: Unexpected end of JSON input at position 5." }],
])("%.80j", (raw, parsed) => {
  expect(parseToolInput(raw)).toEqual(parsed);
});
