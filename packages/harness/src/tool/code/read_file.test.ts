import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { images, pngOf } from "../../workspace/image/files.testing.ts";
import { openProject } from "./project.testing.ts";
import { readFile } from "./read_file.ts";

function numbers(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `${from + index}`);
}

test("a file is shown with numbers under a line that says which", async () => {
  using project = openProject({ "src/a.ts": "one\n\ttwo\n\n" });
  expect(await project.call(readFile, { path: "src/a.ts" })).toEqual({
    lines: ["src/a.ts: lines 1-3 of 3", "1\tone", "2\t\ttwo", "3\t"],
    shown: [{ path: "src/a.ts", hash: hash("sha256", "one\n\ttwo\n\n"), from: 1, to: 3, via: "read" }],
  });
});

test("a long file comes in parts that say how to go on", async () => {
  using project = openProject({ a: numbers(1, 1_234).join("\n") });
  const first = await project.call(readFile, { path: "a" });
  expect([first.lines[0], ...first.lines.slice(-2)]).toEqual([
    "a: lines 1-400 of 1234",
    "400\t400",
    "(continue with offset 401)",
  ]);
  const last = await project.call(readFile, { path: "a", offset: 1_233, limit: 2_000 });
  expect(last.lines).toEqual(["a: lines 1233-1234 of 1234", "1233\t1233", "1234\t1234"]);
  expect(last.shown).toMatchObject([{ from: 1_233, to: 1_234 }]);
});

test("an empty file says so", async () => {
  using project = openProject({ "a.png": "" });
  expect(await project.call(readFile, { path: "a.png" })).toEqual({
    lines: ["a.png: empty file"],
    shown: [{ path: "a.png", hash: hash("sha256", ""), from: 1, to: 0, via: "read" }],
  });
  expect(project.ledger.has("a.png", 1)).toBe(false);
});

test("a range that is not there names the lines there are", async () => {
  using project = openProject({ a: numbers(1, 100).join("\n"), empty: "" });
  const range = "a has only 100 lines. Use an offset from 1 to 100.";
  expect(await project.failure(readFile, { path: "a", offset: 101 })).toBe(range);
  expect(await project.failure(readFile, { path: "a", offset: 10 ** 9 })).toBe(range);
  expect(await project.failure(readFile, { path: "empty", offset: 2 })).toBe("empty has only 0 lines. It is empty.");
});

test("input that cannot be right names field and problem", async () => {
  using project = openProject({ a: "x" });
  const problems = async (input: unknown): Promise<string> => project.failure(readFile, input);
  const again = "Correct it and call read_file again.";
  expect(await problems({ path: "a", offset: -20, limit: 0 })).toBe(
    `Invalid input: offset: must be >= 1; limit: must be >= 1. ${again}`,
  );
  expect(await problems({ path: "a", limit: 2_001 })).toBe(`Invalid input: limit: must be <= 2000. ${again}`);
  expect(await problems({ path: "a", limit: "10" })).toBe(`Invalid input: limit: must be a whole number. ${again}`);
  expect(await problems({ path: "a", offset: 1.5 })).toBe(`Invalid input: offset: must be a whole number. ${again}`);
  expect(await problems({ path: [] })).toBe(`Invalid input: path: must be a string. ${again}`);
  expect(await problems({ path: "a", lines: 3 })).toBe(`Invalid input: Unrecognized key: "lines". ${again}`);
  for (const nothing of [{}, null, undefined]) {
    expect(await problems(nothing)).toBe(`Invalid input: path: must be a string. ${again}`);
  }
});

test("long lines are cut between characters and say how much is missing", async () => {
  using project = openProject({ a: `${"x".repeat(2_001)}\n${"x".repeat(1_999)}𝄞y\n${"x".repeat(2_000)}` });
  expect((await project.call(readFile, { path: "a" })).lines.slice(1)).toEqual([
    `1\t${"x".repeat(2_000)}… (1 characters more)`,
    `2\t${"x".repeat(1_999)}… (3 characters more)`,
    `3\t${"x".repeat(2_000)}`,
  ]);
});

test("many long lines end before they are too much, and none is left out", async () => {
  using project = openProject({ a: `${"x".repeat(1_990)}\n`.repeat(120) });
  const { lines, shown } = await project.call(readFile, { path: "a" });
  expect([lines[0], lines.at(-1), lines.length]).toEqual(["a: lines 1-50 of 120", "(continue with offset 51)", 52]);
  expect(shown).toMatchObject([{ from: 1, to: 50 }]);
});

test("the first line tells what an edit would have to keep", async () => {
  using project = openProject({
    crlf: "a\r\nb\r\n",
    mixed: "a\r\nb\nc\rd\ne\r\n",
    bom: "\ufeffa",
    utf16: Buffer.from("\ufeffé\r\n", "utf16le"),
    latin: Buffer.from("caf\xe9\n", "latin1"),
  });
  const read = async (path: string): Promise<string[]> => (await project.call(readFile, { path })).lines;
  expect(await read("crlf")).toEqual(["crlf: lines 1-2 of 2 (CRLF line endings)", "1\ta", "2\tb"]);
  expect(await read("mixed")).toEqual([
    "mixed: lines 1-4 of 4 (mixed line endings)",
    "1\ta",
    "2\tb",
    "3\tc\rd",
    "4\te",
  ]);
  expect(await read("bom")).toEqual(["bom: lines 1-1 of 1 (UTF-8 with BOM)", "1\ta"]);
  expect(await read("utf16")).toEqual(["utf16: lines 1-1 of 1 (UTF-16LE; CRLF line endings)", "1\té"]);
  expect(await read("latin")).toEqual([
    String.raw`latin: lines 1-1 of 1 (not UTF-8: other bytes are shown as \xNN)`,
    "1\tcaf\\xE9",
  ]);
});

test("a path that cannot be shown as it is stands as a JSON string, which is what the tool takes", async () => {
  using project = openProject({ "a\nb.txt": "x" });
  const { lines } = await project.call(readFile, { path: "a\nb.txt" });
  expect(lines[0]).toBe(String.raw`"a\nb.txt": lines 1-1 of 1`);
  expect((await project.call(readFile, { path: JSON.parse(lines[0]?.split(": ")[0] ?? "") })).lines).toEqual(lines);
});

test("a link is read as the file it leads to", async () => {
  using project = openProject({ "src/a": "x", link: { link: "src/a" } });
  const { lines, shown } = await project.call(readFile, { path: "./link" });
  expect([lines[0], shown[0]?.path]).toEqual(["src/a: lines 1-1 of 1", "src/a"]);
});

test("an image is sent under a line that says what it is, and shows no line to cite", async () => {
  const png = pngOf(30, 20);
  using project = openProject({ "docs/plan.txt": png });
  expect(await project.result(readFile, { path: "docs/plan.txt" })).toEqual({
    content: [
      { type: "text", text: `docs/plan.txt: PNG image, 30 x 20 pixels, ${png.length} bytes` },
      { type: "image", mediaType: "image/png", base64: png.toString("base64") },
    ],
    shown: [{ path: "docs/plan.txt", hash: hash("sha256", png), from: 1, to: 0, via: "read" }],
  });
  expect(project.ledger.has("docs/plan.txt", 1)).toBe(false);
});

test("what is no text is refused with a word about what it is, pictures by their bytes and not their name", async () => {
  using project = openProject({
    "icon.ico": Buffer.of(0, 0, 1, 0, 1, 0),
    "x.bmp": Buffer.from("BM\x20\0\0\0\0\0\0\0"),
    "cut.jpg": images.jpeg.subarray(0, -20),
    "a.out": Buffer.of(0x7f, 0x45, 0x4c, 0x46, 0),
    "pic.png": "<svg/>",
    "x.svg": "<svg/>",
    "src/": "",
    ".env": "KEY=1",
    big: "x".repeat(1_048_577),
  });
  execFileSync("mkfifo", [join(project.root, "fifo")]);
  expect((await project.call(readFile, { path: "pic.png" })).lines).toEqual(["pic.png: lines 1-1 of 1", "1\t<svg/>"]);
  expect((await project.call(readFile, { path: "x.svg" })).lines).toEqual(["x.svg: lines 1-1 of 1", "1\t<svg/>"]);
  const instead = "Only PNG, JPEG, GIF and WebP can be: ask for it in one of these, or go on without it.";
  expect(await project.failure(readFile, { path: "icon.ico" })).toBe(
    `icon.ico is an image that no model is shown (ICO). ${instead}`,
  );
  expect(await project.failure(readFile, { path: "x.bmp" })).toBe(
    `x.bmp is an image that no model is shown (BMP). ${instead}`,
  );
  expect(await project.failure(readFile, { path: "cut.jpg" })).toBe(
    "cut.jpg is a JPEG image that is cut off or damaged. " +
      "It cannot be shown: go on without it, and say so if the answer depends on it.",
  );
  expect(await project.failure(readFile, { path: "a.out" })).toBe("a.out is a binary file. Only text can be read.");
  expect(await project.failure(readFile, { path: "fifo" })).toMatch(/^"fifo" is a FIFO/);
  expect(await project.failure(readFile, { path: "src" })).toMatch(/^"src" is a folder\./);
  expect(await project.failure(readFile, { path: "big" })).toMatch(/^"big" has 1048577 bytes.* Search it/);
  expect(await project.failure(readFile, { path: ".env" })).toMatch(/^".env" is protected \(environment files/);
});
