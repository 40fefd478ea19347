import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { openProject } from "./project.testing.ts";
import { search } from "./search.ts";

test("a match is a path, a line and the text", async () => {
  const text = "one\n\tneedle\r\n";
  using project = openProject({ "src/a.ts": text, "b.ts": "no", 'say "x":1:': "a needle" });
  expect(await project.call(search, { pattern: "needle" })).toEqual({
    lines: [String.raw`"say \"x\":1:":1: a needle`, "src/a.ts:2: \tneedle"],
    shown: [
      { path: 'say "x":1:', hash: hash("sha256", "a needle"), from: 1, to: 1, via: "search" },
      { path: "src/a.ts", hash: hash("sha256", text), from: 2, to: 2, via: "search" },
    ],
  });
});

test("context lines have a mark of their own, and groups are set apart", async () => {
  const text = "1\nneedle\n3\n4\n5\n6\nneedle\nneedle\n9\n";
  using project = openProject({ a: text, b: "needle" });
  const { lines, shown } = await project.call(search, { pattern: "needle", context: 1 });
  expect(lines).toEqual([
    "a-1- 1",
    "a:2: needle",
    "a-3- 3",
    "--",
    "a-6- 6",
    "a:7: needle",
    "a:8: needle",
    "a-9- 9",
    "--",
    "b:1: needle",
  ]);
  expect(shown.map(({ path, from, to }) => [path, from, to])).toEqual([
    ["a", 1, 3],
    ["a", 6, 9],
    ["b", 1, 1],
  ]);
});

test("no matches, and what was passed over, are said", async () => {
  using project = openProject({
    ".gitignore": "dist/",
    "dist/a": "needle",
    "node_modules/b": "needle",
    ".env": "needle",
  });
  expect((await project.call(search, { pattern: "needle" })).lines).toEqual([
    "No matches.",
    "(skipped: ignored files (.gitignore and the like))",
  ]);
  expect((await project.call(search, { pattern: "needle", path: "dist" })).lines).toEqual(["dist/a:1: needle"]);
});

test("at the limit it says that there is more and how to get on", async () => {
  using project = openProject({ a: "needle\n".repeat(150), b: "needle\n".repeat(1_000) });
  const first = await project.call(search, { pattern: "needle" });
  expect([first.lines.length, first.lines[99], first.lines[100]]).toEqual([
    101,
    "a:100: needle",
    "(stopped at 100 matches; narrow with path or glob, or raise limit up to 1000)",
  ]);
  expect(first.shown.map(({ path, from, to }) => [path, from, to])).toEqual([["a", 1, 100]]);
  const most = await project.call(search, { pattern: "needle", limit: 1_000 });
  expect(most.lines.at(-1)).toBe("(stopped at 1000 matches; narrow with path or glob)");
  expect((await project.call(search, { pattern: "needle", path: "b", limit: 1_000 })).lines).toHaveLength(1_000);
});

test("the same tree gives the same answer, however it is walked", async () => {
  using project = openProject(
    Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`d${i % 17}/f${i}`, "needle\nneedle\n"])),
  );
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => project.call(search, { pattern: "needle", limit: 50 })),
  );
  expect(answers).toEqual(answers.map(() => answers[0]));
});

test("a long line is shown around its match", async () => {
  const long = (before: number, after: number): string => `${"x".repeat(before)}needle${"y".repeat(after)}`;
  using project = openProject({
    a: `${long(50, 900)}\n${long(900, 900)}\n${long(900, 3)}\n${long(150, 144)}\n${"𝄞".repeat(400)}needle`,
  });
  expect((await project.call(search, { pattern: "needle" })).lines).toEqual([
    `a:1: ${long(50, 244)}…`,
    `a:2: …${long(100, 194)}…`,
    `a:3: …${long(291, 3)}`,
    `a:4: ${long(150, 144)}`,
    `a:5: …${"𝄞".repeat(147)}needle`,
  ]);
});

test("an answer that would be too long ends early, and so does what it says it showed", async () => {
  using project = openProject({ a: `needle ${"x".repeat(292)}\n`.repeat(1_000) });
  const { lines, shown } = await project.call(search, { pattern: "needle", limit: 1_000 });
  const count = lines.length - 1;
  expect(lines.slice(0, -1).join("\n").length).toBeLessThanOrEqual(100_000);
  expect(lines.at(-1)).toBe(`(stopped at ${count} matches; narrow with path or glob)`);
  expect(shown.map(({ from, to }) => [from, to])).toEqual([[1, count]]);
});

test("pattern, case and files can be chosen", async () => {
  using project = openProject({ "a.ts": "Foo(1)\nfoo.x", "b.md": "foo(1)", "src/c.ts": "-foo" });
  const find = async (input: object): Promise<string[]> => (await project.call(search, input)).lines;
  expect(await find({ pattern: "foo.1" })).toEqual(["b.md:1: foo(1)"]);
  expect(await find({ pattern: "foo.1", ignore_case: true })).toEqual(["a.ts:1: Foo(1)", "b.md:1: foo(1)"]);
  expect(await find({ pattern: "foo.", literal: true })).toEqual(["a.ts:2: foo.x"]);
  expect(await find({ pattern: "-foo" })).toEqual(["src/c.ts:1: -foo"]);
  expect(await find({ pattern: "foo", glob: "*.ts" })).toEqual(["a.ts:2: foo.x", "src/c.ts:1: -foo"]);
  expect(await find({ pattern: "foo", glob: "*.ts", path: "src" })).toEqual(["src/c.ts:1: -foo"]);
  expect(await find({ pattern: "foo", path: "b.md" })).toEqual(["b.md:1: foo(1)"]);
});

test("input that cannot be right names field and problem", async () => {
  using project = openProject({ a: "x" });
  const again = "Correct it and call search again.";
  expect(await project.failure(search, {})).toBe(`Invalid input: pattern: must be a string. ${again}`);
  expect(await project.failure(search, null)).toBe(`Invalid input: pattern: must be a string. ${again}`);
  expect(await project.failure(search, { pattern: "", path: [], context: 11, limit: "10", literal: 1 })).toBe(
    "Invalid input: pattern: must not be empty; path: must be a string; literal: must be true or false; " +
      `context: must be <= 10; limit: must be a whole number. ${again}`,
  );
  expect(await project.failure(search, { pattern: "(", limit: 5 })).toMatch(
    /^The pattern cannot be read: regex parse error/,
  );
  expect(await project.failure(search, { pattern: "x", glob: "/a" })).toMatch(/^The glob "\/a" is not relative/);
});
