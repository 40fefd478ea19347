import { expect, test } from "vitest";
import { firstLine, truncate, wellFormedSlice } from "./slice.ts";

test("no half of a surrogate pair is left at either end", () => {
  expect(["a😀b", "😀", "😀"].map((text) => wellFormedSlice(text, 0, 2))).toEqual(["a", "😀", "😀"]);
  expect(wellFormedSlice("😀b", 1, 3)).toBe("b");
});

test("what is cut off says so, what fits is as it was", () => {
  expect([truncate("abc", 3), truncate("abcd", 3), truncate("ab😀", 3), truncate("", 3)]).toEqual([
    "abc",
    "abc…",
    "ab…",
    "",
  ]);
});

test("the first line alone", () => {
  expect([firstLine("one\ntwo", 10), firstLine("one two\nthree", 3), firstLine("", 3)]).toEqual(["one", "one…", ""]);
});
