import { hash } from "node:crypto";
import { readFileSync, readlinkSync, statSync, writeFileSync, appendFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editFile } from "./edit_file.ts";
import { listFiles } from "./list_files.ts";
import { openCodeProject, type Project } from "./project.testing.ts";
import { readFile } from "./read_file.ts";
import { search } from "./search.ts";

const sha = (text: string | Uint8Array): string => hash("sha256", text);

function textIn(project: Project, path: string): string {
  return readFileSync(join(project.root, path), "latin1");
}

test("a piece of text is replaced, and the result has the lines around it as they are now", async () => {
  const before = "one\ntwo\nthree\nfour\nfive\nsix\n";
  using project = openCodeProject({ "a.txt": before });
  await project.call(readFile, { path: "a.txt" });
  const result = await project.result(editFile, { path: "a.txt", old_string: "five\n", new_string: "5\n5b\n" });
  const after = "one\ntwo\nthree\nfour\n5\n5b\nsix\n";
  const at = { path: "a.txt", hash: sha(after) };
  expect(result).toEqual({
    content: [
      {
        type: "text",
        text: "Changed a.txt (+2 -1)\n2\ttwo\n3\tthree\n4\tfour\n-\tfive\n5+\t5\n6+\t5b\n7\tsix",
      },
    ],
    shown: [
      { ...at, from: 5, to: 6, via: "write" },
      { ...at, from: 2, to: 7, via: "diff" },
    ],
    landed: [
      { path: "a.txt", before: sha(before), after: sha(after), hunks: [{ from: 5, removed: 1, to: 5, added: 2 }] },
    ],
  });
  expect(textIn(project, "a.txt")).toBe(after);
  expect([1, 7, 8].map((line) => project.ledger.has("a.txt", line))).toEqual([true, true, false]);
});

test("several edits of one file land one after the other, each on what the one before left", async () => {
  using project = openCodeProject({ a: "x = 1\ny = 2\n" });
  await project.call(readFile, { path: "a" });
  await project.call(editFile, { path: "a", old_string: "x = 1", new_string: "x = 10" });
  await project.call(editFile, { path: "a", old_string: "x = 10\ny", new_string: "z" });
  expect(textIn(project, "a")).toBe("z = 2\n");
});

test("CRLF files, a byte order mark, UTF-16 and unknown bytes are kept, and edited as they were read", async () => {
  const files = {
    crlf: Buffer.from("a\r\nb\r\nc\r\n"),
    bom: Buffer.from("\ufeffa\nb\nc"),
    utf16: Buffer.from("\ufeffa\r\nb\r\n", "utf16le"),
    latin: Buffer.from("caf\xe9\nb\n", "latin1"),
  };
  using project = openCodeProject(files);
  for (const path of Object.keys(files)) {
    await project.call(readFile, { path });
    await project.call(editFile, { path, old_string: "b\n", new_string: "B\n" });
  }
  const after = Object.keys(files).map((path) => readFileSync(join(project.root, path)));
  expect(after).toEqual([
    Buffer.from("a\r\nB\r\nc\r\n"),
    Buffer.from("\ufeffa\nB\nc"),
    Buffer.from("\ufeffa\r\nB\r\n", "utf16le"),
    Buffer.from("caf\xe9\nB\n", "latin1"),
  ]);
});

test("what looks like a pattern of a replacement lands literally, and all occurrences are counted", async () => {
  using project = openCodeProject({ a: "x\nx\n" });
  await project.call(readFile, { path: "a" });
  const { lines } = await project.call(editFile, {
    path: "a",
    old_string: "x",
    new_string: "$& $1 $$",
    replace_all: true,
  });
  expect(lines.at(-1)).toBe("(2 occurrences replaced)");
  expect(textIn(project, "a")).toBe("$& $1 $$\n$& $1 $$\n");
});

test.each([
  ["is not there", "thre", { old_string: "drei" }, /old_string.*a/s],
  ["is there twice", "x\nx\n", { old_string: "x" }, /2 times in a: at lines 1, 2\. .*replace_all/],
])("text that %s is refused with the next step, and nothing is touched", async (_, content, edit, words) => {
  using project = openCodeProject({ a: content });
  await project.call(readFile, { path: "a" });
  const { mtimeNs, ino } = statSync(join(project.root, "a"), { bigint: true });
  expect(await project.failure(editFile, { path: "a", new_string: "y", ...edit })).toMatch(words);
  const now = statSync(join(project.root, "a"), { bigint: true });
  expect([textIn(project, "a"), now.mtimeNs, now.ino]).toEqual([content, mtimeNs, ino]);
});

test("a file has to be read first: neither a list nor a search counts", async () => {
  using project = openCodeProject({ "a.txt": "one\n" });
  const edit = { path: "a.txt", old_string: "one", new_string: "two" };
  await project.call(listFiles);
  await project.call(search, { pattern: "one" });
  const words = "Read a.txt first: you have not read it with read_file. Then make the change again.";
  expect(await project.failure(editFile, edit)).toBe(words);
  await project.call(readFile, { path: "a.txt", limit: 1 });
  await project.call(editFile, edit);
  expect(textIn(project, "a.txt")).toBe("two\n");
});

test.each<[was: string, bytes: Buffer, after: Buffer]>([
  ["an empty file", Buffer.of(), Buffer.from("x\n")],
  ["only a byte order mark", Buffer.of(0xef, 0xbb, 0xbf), Buffer.from("\ufeffx\n")],
])("a file without lines is edited once it was read: %s", async (_, bytes, after) => {
  using project = openCodeProject({ a: bytes });
  const input = { path: "a", old_string: "", new_string: "x\n" };
  expect(await project.failure(editFile, input)).toMatch(/^Read a first: /);
  await project.call(readFile, { path: "a" });
  await project.call(editFile, input);
  expect(readFileSync(join(project.root, "a"))).toEqual(after);
});

test("a binary file, which cannot be read, is not to be read first", async () => {
  using project = openCodeProject({ "a.out": Buffer.of(0x7f, 0x45, 0x4c, 0x46, 0) });
  expect(await project.failure(editFile, { path: "a.out", old_string: "E", new_string: "e" })).toBe(
    "a.out is a binary file. Only text can be changed; to move or remove it, run a command.",
  );
});

test("a change from outside is noticed by its bytes, of the same size and at the same time too", async () => {
  using project = openCodeProject({ longer: "one\n", same: "one\n" });
  const words = (path: string): string =>
    `${path} changed since you last read it. Read it again, then change what stands there now.`;
  for (const path of ["longer", "same"]) await project.call(readFile, { path });
  appendFileSync(join(project.root, "longer"), "more\n");
  const { atime, mtime } = statSync(join(project.root, "same"));
  writeFileSync(join(project.root, "same"), "eno\n");
  utimesSync(join(project.root, "same"), atime, mtime);
  for (const path of ["longer", "same"]) {
    expect(await project.failure(editFile, { path, old_string: "n", new_string: "N" })).toBe(words(path));
    await project.call(search, { pattern: "n" });
    expect(await project.failure(editFile, { path, old_string: "n", new_string: "N" })).toBe(words(path));
    await project.call(readFile, { path });
    await project.call(editFile, { path, old_string: "n", new_string: "N" });
  }
  expect([textIn(project, "longer"), textIn(project, "same")]).toEqual(["oNe\nmore\n", "eNo\n"]);
});

test("a link stays a link: what it leads to changes, under its own name", async () => {
  using project = openCodeProject({ "docs/a.md": "one\n", "a.md": { link: "docs/a.md" } });
  await project.call(readFile, { path: "a.md" });
  const { lines } = await project.call(editFile, { path: "a.md", old_string: "one", new_string: "two" });
  expect(lines[0]).toBe("Changed docs/a.md (+1 -1)");
  expect([textIn(project, "docs/a.md"), readlinkSync(join(project.root, "a.md"))]).toEqual(["two\n", "docs/a.md"]);
});

test.each([
  ["no such file", { path: "b" }, /^"b" does not lead to a file/],
  ["a folder", { path: "folder" }, /folder/],
  ["a path outside", { path: "../a" }, /climbs out of the project/],
  ["a link that leads outside", { path: "out" }, /does not lead to a file or folder in the project/],
  ["git internals", { path: ".git/config" }, /protected \(git internals\)/],
  ["a secret, with nobody to ask", { path: ".env" }, /needs a person's approval/],
  ["a binary file", { path: "binary" }, /binary|first/],
  ["no old_string", { path: "a", old_string: undefined }, /^Invalid input: old_string/],
  ["an unknown field", { path: "a", force: true }, /^Invalid input: /],
])("%s cannot be edited", async (_, input, words) => {
  const files = { a: "x", binary: Uint8Array.of(0, 1, 2), ".env": "x", "folder/": "", ".git/config": "x" };
  using project = openCodeProject({ ...files, out: { link: "OUTSIDE/secret.txt" } });
  expect(await project.failure(editFile, { old_string: "x", new_string: "y", ...input })).toMatch(words);
  expect([textIn(project, "a"), textIn(project, ".env"), textIn(project, ".git/config")]).toEqual(["x", "x", "x"]);
});

test("a long diff is cut, and says by how much; the model's own lines count as shown all the same", async () => {
  const old = Array.from({ length: 200 }, (_, n) => `old ${n}`).join("\n");
  const text = Array.from({ length: 200 }, (_, n) => `new ${n}`).join("\n");
  using project = openCodeProject({ a: `${old}\n` });
  await project.call(readFile, { path: "a" });
  const { lines } = await project.call(editFile, { path: "a", old_string: old, new_string: text });
  expect([lines.length, lines.at(-1)]).toEqual([122, "(280 more lines of the diff)"]);
  expect([1, 200, 201].map((line) => project.ledger.has("a", line))).toEqual([true, true, false]);
});
