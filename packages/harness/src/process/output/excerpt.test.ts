import fc from "fast-check";
import { expect, test } from "vitest";
import { createExcerpt, excerptLimit } from "./excerpt.ts";

function excerptOf(...pieces: string[]): string {
  const excerpt = createExcerpt();
  for (const piece of pieces) excerpt.add(piece);
  return excerpt.text();
}

test("what is short enough is kept whole, however it came", () => {
  const text = "x".repeat(excerptLimit);
  expect(excerptOf(text)).toBe(text);
  expect(excerptOf(text.slice(0, 9_999), text.slice(9_999, 10_002), text.slice(10_002))).toBe(text);
  expect(excerptOf()).toBe("");
});

test("of what is too long start and end are kept in whole lines, and the characters left out are counted", () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`);
  const text = excerptOf(...lines);
  const [start = "", left, end = ""] = text.split(/… \((\d+) characters left out\) …\n/);
  const whole = lines.join("");
  expect(text.length).toBeLessThanOrEqual(excerptLimit);
  expect([start.endsWith("\n"), whole.startsWith(start), whole.endsWith(end), end.startsWith("line ")]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(start.length + Number(left) + end.length).toBe(whole.length);
  expect(start.length + end.length).toBeGreaterThan(29_000);
});

test("one endless line is cut between whole characters", () => {
  for (const lead of ["", "x"]) {
    const text = excerptOf(lead, ...Array.from({ length: 60 }, () => "👍".repeat(700)));
    expect(text.isWellFormed()).toBe(true);
    expect(text.length).toBeLessThanOrEqual(excerptLimit);
  }
});

test("the pieces make no difference", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30_000), { maxLength: 8 }), fc.string({ minLength: 1 }), (sizes, unit) => {
      const pieces = sizes.map((size) => unit.repeat(size).slice(0, size));
      expect(excerptOf(...pieces)).toBe(excerptOf(pieces.join("")));
    }),
    { numRuns: 200 },
  );
});
