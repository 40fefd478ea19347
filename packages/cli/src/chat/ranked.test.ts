import { expect, test } from "vitest";
import { nearest } from "../nearest.ts";
import { ranked } from "./ranked.ts";

test("what begins so comes first, then names, then parts, then letters in order", () => {
  const paths = [
    "docs/main.md",
    "src/domain.ts",
    "main.ts",
    "src/main.ts",
    "src/mapping.ts",
    "src/x.ts",
    "my/animals/in.ts",
  ];
  expect(ranked("main", paths)).toEqual([
    "main.ts",
    "src/main.ts",
    "docs/main.md",
    "src/domain.ts",
    "src/mapping.ts",
    "my/animals/in.ts",
  ]);
  expect(ranked("", ["b", "a", "cc"])).toEqual(["a", "b", "cc"]);
  expect(ranked("README", ["readme.md", "README.md"])).toEqual(["README.md"]);
  expect(ranked("src/", ["src/", "src/a.ts", "lib/src/"])).toEqual(["src/", "src/a.ts", "lib/src/"]);
});

test.each([
  ["hlep", "help"],
  ["und", "undo"],
  ["modle", "model"],
  ["deploy", undefined],
  ["xy", undefined],
])("/%s means %s", (typed, meant) => {
  expect(nearest(typed, ["help", "undo", "model", "exit"])).toBe(meant);
});
