import { hash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editFile } from "./edit_file.ts";
import { openCodeProject } from "./project.testing.ts";
import { readFile } from "./read_file.ts";
import { writeFile } from "./write_file.ts";

test("a new file is made with its folders, byte for byte, and counts as read", async () => {
  using project = openCodeProject({});
  const content = "é\n\ttwo\r\nno end";
  const result = await project.result(writeFile, { path: "x/y/new.txt", content });
  const at = { path: "x/y/new.txt", hash: hash("sha256", content) };
  expect(result).toEqual({
    content: [{ type: "text", text: "Created x/y/new.txt (+3 -0)" }],
    shown: [{ ...at, from: 1, to: 3, via: "write" }],
    landed: [{ path: at.path, before: null, after: at.hash, hunks: [{ from: 1, removed: 0, to: 1, added: 3 }] }],
  });
  expect(readFileSync(join(project.root, at.path))).toEqual(Buffer.from(content));
  await project.call(editFile, { path: at.path, old_string: "two", new_string: "2" });
  expect(readFileSync(join(project.root, at.path), "utf8")).toBe("é\n\t2\r\nno end");
});

test("a file that is there is replaced only after it was read", async () => {
  using project = openCodeProject({ a: "old\n" });
  expect(await project.failure(writeFile, { path: "a", content: "new\n" })).toMatch(/^Read a first: /);
  await project.call(readFile, { path: "a" });
  const { lines } = await project.call(writeFile, { path: "a", content: "new\n" });
  expect(lines).toEqual(["Changed a (+1 -1)", "-\told", "1+\tnew"]);
});

test("a file keeps its encoding, its byte order mark, its mode and uniform CRLF, which is said", async () => {
  const files = {
    crlf: Buffer.from("a\r\nb\r\n"),
    mixed: Buffer.from("a\r\nb\n"),
    bom: Buffer.from("\ufeffa\n"),
    utf16: Buffer.from("\ufeffa\r\n", "utf16le"),
  };
  using project = openCodeProject(files);
  const said: unknown[] = [];
  for (const path of Object.keys(files)) {
    await project.call(readFile, { path });
    said.push((await project.call(writeFile, { path, content: "é\nc\n" })).lines.at(-1));
  }
  expect(Object.keys(files).map((path) => readFileSync(join(project.root, path)))).toEqual([
    Buffer.from("é\r\nc\r\n"),
    Buffer.from("é\nc\n"),
    Buffer.from("\ufeffé\nc\n"),
    Buffer.from("\ufeffé\r\nc\r\n", "utf16le"),
  ]);
  const note = "(written with CRLF line endings, as the file had)";
  expect(said.map((line) => line === note)).toEqual([true, false, false, true]);
});

test("what an unknown encoding cannot hold is refused, and the file left as it is", async () => {
  using project = openCodeProject({ latin: Buffer.from("caf\xe9\n", "latin1") });
  await project.call(readFile, { path: "latin" });
  expect(await project.failure(writeFile, { path: "latin", content: "café\n" })).toMatch(/UTF-8|encoding|ASCII/);
  expect(await project.failure(writeFile, { path: "half", content: "\ud800" })).not.toBe("");
  expect(readFileSync(join(project.root, "latin"), "latin1")).toBe("caf\xe9\n");
  expect(existsSync(join(project.root, "half"))).toBe(false);
});

test("a file that already is as asked is not touched", async () => {
  using project = openCodeProject({ a: "same\n" });
  await project.call(readFile, { path: "a" });
  const before = statSync(join(project.root, "a"), { bigint: true });
  expect(await project.failure(writeFile, { path: "a", content: "same\n" })).toMatch(/already is as asked/);
  const after = statSync(join(project.root, "a"), { bigint: true });
  expect([after.mtimeNs, after.ino]).toEqual([before.mtimeNs, before.ino]);
});

test.each([
  ["git internals", ".git/hooks/pre-commit", /protected \(git internals\)/],
  ["git internals in another spelling", "sub/.GIT/config", /protected \(git internals\)/],
  ["submodules", ".gitmodules", /protected \(git submodules\)/],
  ["a shell file", ".bashrc", /protected \(shell and login files\)/],
  [
    "croft's own configuration, which is not there yet",
    ".croft/config.jsonc",
    /protected \(croft's own configuration\)/,
  ],
  ["a CI definition, with nobody to ask", ".github/workflows/ci.yml", /needs a person's approval/],
  ["a memory file, with nobody to ask", "docs/AGENTS.md", /needs a person's approval/],
  ["a path outside", "../b", /climbs out of the project/],
  ["a folder", "folder", /folder/],
  ["what lies beyond a link that leads outside", "out/b", /does not lead|leads out|outside/],
  ["a link to nothing", "nothing", /link|does not lead/],
])("%s cannot be written", async (_, path, words) => {
  using project = openCodeProject({
    "folder/": "",
    ".git/config": "",
    out: { link: "OUTSIDE" },
    nothing: { link: "OUTSIDE/none" },
  });
  expect(await project.failure(writeFile, { path, content: "x" })).toMatch(words);
  for (const outside of ["../outside/b", "../outside/none", "../b", ".croft", ".bashrc", ".github"]) {
    expect(existsSync(join(project.root, outside))).toBe(false);
  }
});
