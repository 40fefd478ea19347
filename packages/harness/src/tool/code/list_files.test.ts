import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listFiles } from "./list_files.ts";
import { openProject } from "./project.testing.ts";

const entries = {
  "README.md": "",
  ".github/ci.yml": "",
  "src/a/deep/x.ts": "",
  "src/b.ts": "",
  "src-old/c.ts": "",
  "dist/out.js": "",
  ".env": "",
  "node_modules/m/index.js": "",
  ".gitignore": "dist/\n",
  link: { link: "src" },
  away: { link: "OUTSIDE" },
  "a\nb": "",
  "odd\u202e/x": "",
};

test("a folder is listed two levels deep, in path order, with marks and without what is denied", async () => {
  using project = openProject(entries);
  execFileSync("mkfifo", [join(project.root, "fifo")]);
  expect(await project.call(listFiles)).toEqual({
    lines: [
      ".github/",
      ".github/ci.yml",
      ".gitignore",
      "README.md",
      String.raw`"a\nb"`,
      "away@",
      "fifo|",
      "link@",
      String.raw`"odd\u202e/"`,
      String.raw`"odd\u202e/x"`,
      "src/",
      "src/a/",
      "src/b.ts",
      "src-old/",
      "src-old/c.ts",
      "(skipped: 1 ignored (.gitignore and the like))",
    ],
    shown: [],
  });
});

test("paths are those from the root, whichever folder is listed and however deep", async () => {
  using project = openProject(entries);
  const list = async (input: object): Promise<string[]> => (await project.call(listFiles, input)).lines;
  expect(await list({ path: "src" })).toEqual(["src/a/", "src/a/deep/", "src/b.ts"]);
  expect(await list({ path: "src/", depth: 1 })).toEqual(["src/a/", "src/b.ts"]);
  expect(await list({ path: "link", depth: 3 })).toEqual(["src/a/", "src/a/deep/", "src/a/deep/x.ts", "src/b.ts"]);
  expect(await list({ path: "dist" })).toEqual(["dist/out.js"]);
});

test("with a glob the whole tree is looked at", async () => {
  using project = openProject(entries);
  const list = async (input: object): Promise<string[]> => (await project.call(listFiles, input)).lines.slice(0, -1);
  expect(await list({ glob: "*.ts" })).toEqual(["src/a/deep/x.ts", "src/b.ts", "src-old/c.ts"]);
  expect(await list({ glob: "**/*.{md,yml}" })).toEqual([".github/ci.yml", "README.md"]);
  expect(await list({ glob: "*.ts", depth: 2 })).toEqual(["src/b.ts", "src-old/c.ts"]);
  expect(await project.failure(listFiles, { glob: "../*" })).toMatch(/^The glob "..\/\*" climbs/);
});

test("an empty folder, and one in which nothing is to be listed, say so", async () => {
  using project = openProject({ "empty/": "", "some/a": "" });
  expect((await project.call(listFiles, { path: "empty" })).lines).toEqual(["(empty)"]);
  expect((await project.call(listFiles, { glob: "*.zig" })).lines).toEqual(["(empty)"]);
});

test("after 300 entries the rest is counted", async () => {
  const names = Array.from({ length: 1_234 }, (_, index) => `f${index}`);
  using project = openProject(Object.fromEntries(names.map((name) => [name, ""])));
  expect((await project.call(listFiles)).lines).toEqual([
    ...names.sort().slice(0, 300),
    "(300 of 1,234 entries; narrow with path, depth or glob)",
  ]);
});

test("what cannot be listed says why", async () => {
  using project = openProject({ a: "", "node_modules/x": "" });
  expect(await project.failure(listFiles, { path: "a" })).toMatch(/^"a" is not a folder\./);
  expect(await project.failure(listFiles, { path: "b" })).toMatch(/^"b" does not lead to a file or folder/);
  expect(await project.failure(listFiles, { path: "node_modules" })).toMatch(/^"node_modules" is protected/);
  expect(await project.failure(listFiles, { path: [], depth: "2" })).toBe(
    "Invalid input: path: must be a string; depth: must be a whole number. Correct it and call list_files again.",
  );
});
