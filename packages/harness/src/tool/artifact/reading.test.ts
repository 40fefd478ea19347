import {
  appendFileSync,
  chmodSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { artifactRig } from "../../preset/artifact-rig.testing.ts";
import { openDescriptors } from "../../workspace/tree.testing.ts";

const hundred = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`).join("\n");

test("a file is opened under an id, and its lines are asked for", async () => {
  const { call, open } = await artifactRig({ "a.log": hundred });
  expect(await call("open_file", { path: "a.log" })).toMatch(/^a1-[0-9a-f]{4}: a\.log, text, 791 bytes$/);
  const id = await open("open_file", { path: "a.log" });
  expect(await call("artifact_head", { artifact_id: id, lines: 2 })).toBe(
    "a.log: lines 1 to 2\n1\tline 1\n2\tline 2\n(go on with start 3)",
  );
  expect(await call("artifact_tail", { artifact_id: id, lines: 2 })).toBe(
    "a.log: lines 99 to 100\n99\tline 99\n100\tline 100",
  );
  expect(await call("artifact_cat", { artifact_id: id, start: 50, end: 51 })).toBe(
    "a.log: lines 50 to 51\n50\tline 50\n51\tline 51",
  );
  expect(await call("artifact_line_count", { artifact_id: id })).toBe("a.log: 100 lines");
  expect(await call("artifact_grep", { artifact_id: id, pattern: "^line 9\\d$", limit: 2, context: 1 })).toBe(
    "89\tline 89\n90:\tline 90\n91:\tline 91\n92\tline 92\n(result-limited: the first 2 matches; there are more)",
  );
  expect(await call("artifact_grep", { artifact_id: id, pattern: "LINE 7", ignore_case: true, limit: 1 })).toBe(
    "7:\tline 7\n(result-limited: the first 1 matches; there are more)",
  );
  expect(await call("artifact_grep", { artifact_id: id, pattern: "l.ne", literal: true })).toBe("No matches.");
});

test("what is asked for beyond the file, or makes no sense, is told with what would", async () => {
  const { call, open } = await artifactRig({ a: "x\n", empty: "" });
  const id = await open("open_file", { path: "a" });
  const empty = await open("open_file", { path: "empty" });
  expect(await call("artifact_cat", { artifact_id: id, start: 2 })).toBe(
    "[E_SANDBOX_RANGE, limit] a has 1 lines: there is no line 2. Use a start from 1 to 1.",
  );
  expect(await call("artifact_cat", { artifact_id: id, start: 3, end: 2 })).toBe(
    "[E_SANDBOX_INVALID_INPUT, invalid] Invalid input: end: must not be before start. Correct it and call artifact_cat again.",
  );
  expect(await call("artifact_head", { artifact_id: empty })).toBe("empty: empty");
  expect(await call("artifact_head", { artifact_id: "a9-0000" })).toBe(
    `[E_SANDBOX_NO_ARTIFACT, not-found] "a9-0000" is not open, or no longer. Open are: ${id}, ${empty}. Open the file, and use the id that comes back.`,
  );
  expect(await call("artifact_grep", { artifact_id: id, pattern: "(" })).toMatch(
    /^\[E_SANDBOX_BAD_PATTERN, invalid\] The pattern cannot be read/,
  );
  expect(await call("artifact_json_get", { artifact_id: id })).toMatch(/^\[E_SANDBOX_WRONG_KIND, invalid\]/);
  expect(await call("artifact_md_headings", { artifact_id: id })).toMatch(/^\[E_SANDBOX_WRONG_KIND, invalid\]/);
});

test("a regular expression that makes others run for ever ends", async () => {
  const { call, open } = await artifactRig({ a: `${"a".repeat(50_000)}!\n` });
  const id = await open("open_file", { path: "a" });
  expect(await call("artifact_grep", { artifact_id: id, pattern: "^(a+)+$" })).toBe("No matches.");
});

test("a file that grows is read as it was opened, and it is said", async () => {
  const { root, call, open } = await artifactRig({ a: "one\ntwo\n" });
  const id = await open("open_file", { path: "a" });
  appendFileSync(join(root, "a"), "three\n");
  const note = "(the file has grown since it was opened: open it again to see what was added)";
  expect(await call("artifact_tail", { artifact_id: id, lines: 1 })).toBe(`a: lines 2 to 2\n2\ttwo\n${note}`);
  expect(await call("artifact_grep", { artifact_id: id, pattern: "three" })).toBe(`No matches.\n${note}`);
  expect(await call("artifact_line_count", { artifact_id: id })).toBe(`a: 2 lines\n${note}`);
});

test.each([
  ["cut", (file: string) => truncateSync(file, 2), "was cut to 2 bytes"],
  ["rewritten at the same size", (file: string) => writeFileSync(file, "ONE\n"), "was rewritten"],
  ["rewritten and longer", (file: string) => writeFileSync(file, "other\nlines\n"), "was rewritten"],
])("once a file was %s its id stands for nothing", async (_, change, how) => {
  const { root, call, open } = await artifactRig({ a: "one\n" });
  const id = await open("open_file", { path: "a" });
  const before = openDescriptors();
  change(join(root, "a"));
  utimesSync(join(root, "a"), 1_000, 1_000);
  expect(await call("artifact_head", { artifact_id: id })).toBe(
    `[E_SANDBOX_STALE, stale] a ${how} since it was opened. Open it again, and use the new id.`,
  );
  expect(await call("artifact_head", { artifact_id: id })).toMatch(/^\[E_SANDBOX_NO_ARTIFACT, not-found\]/);
  expect(openDescriptors()).toBe(before === 0 ? 0 : before - 2);
});

test("a time that is set back to what it was hides no rewriting", async () => {
  const { root, call, open } = await artifactRig({ a: "one\n", large: `one\n${"x".repeat(1_100_000)}` });
  for (const name of ["a", "large"]) {
    const file = join(root, name);
    utimesSync(file, 1_000, 1_000);
    const id = await open("open_file", { path: name });
    chmodSync(file, 0o600);
    expect(await call("artifact_head", { artifact_id: id, lines: 1 })).toMatch(/: lines 1 to 1\n1\tone/);
    writeFileSync(file, "ONE", { flag: "r+" });
    utimesSync(file, 1_000, 1_000);
    expect(await call("artifact_head", { artifact_id: id })).toBe(
      `[E_SANDBOX_STALE, stale] ${name} was rewritten since it was opened. Open it again, and use the new id.`,
    );
  }
});

test("a file that is replaced or deleted stays what it was, and it is said", async () => {
  const { root, call, open } = await artifactRig({ a: "old\n", b: "new\n" });
  const id = await open("open_file", { path: "a" });
  renameSync(join(root, "b"), join(root, "a"));
  const note = "(the file was deleted or replaced since it was opened: this is what it was)";
  expect(await call("artifact_head", { artifact_id: id })).toBe(`a: lines 1 to 1\n1\told\n${note}`);
  expect(await call("artifact_grep", { artifact_id: id, pattern: "old|new" })).toBe(`1:\told\n${note}`);
  rmSync(join(root, "a"));
  expect(await call("artifact_head", { artifact_id: id })).toContain("1\told");
});

test.each([
  ["a link to what is outside", (file: string, outside: string) => symlinkSync(outside, file)],
  ["a FIFO", (file: string) => void execFileSync("mkfifo", [file])],
])("a file whose path has become %s stays what it was, and is not opened again", async (_, become) => {
  const { root, outside, call, open } = await artifactRig({ a: "old\n" });
  writeFileSync(join(outside, "other"), "other\n");
  const id = await open("open_file", { path: "a" });
  rmSync(join(root, "a"));
  become(join(root, "a"), join(outside, "other"));
  const note = "(the file was deleted or replaced since it was opened: this is what it was)";
  expect(await call("artifact_head", { artifact_id: id })).toBe(`a: lines 1 to 1\n1\told\n${note}`);
  expect(await call("artifact_grep", { artifact_id: id, pattern: "o" })).toBe(`1:\told\n${note}`);
  expect(await call("open_file", { path: "a" })).toMatch(/^\[E_SANDBOX_[A-Z_]+, (?:not-found|unsupported)\]/);
});

test("a file that is moved is still the same", async () => {
  const { root, call, open } = await artifactRig({ a: "x\n" });
  const id = await open("open_file", { path: "a" });
  renameSync(join(root, "a"), join(root, "b"));
  expect(await call("artifact_grep", { artifact_id: id, pattern: "x" })).toBe("1:\tx");
});

test("UTF-16, unknown bytes and a NUL far down are shown; what is binary is refused", async () => {
  const { call, open } = await artifactRig({
    wide: Buffer.from("\ufeffé one\r\ntwo\r\n", "utf16le"),
    latin: Buffer.from("caf\xe9\n", "latin1"),
    nul: `${"x\n".repeat(5_000)}a\0b\n`,
    binary: "a\0b",
  });
  const wide = await open("open_file", { path: "wide" });
  expect(await call("artifact_head", { artifact_id: wide })).toBe("wide: lines 1 to 2\n1\té one\n2\ttwo");
  expect(await call("artifact_grep", { artifact_id: wide, pattern: "^two" })).toBe("2:\ttwo");
  expect(await call("open_file", { path: "latin" })).toContain("(not UTF-8: other bytes are shown as \\xNN)");
  const nul = await open("open_file", { path: "nul" });
  expect(await call("artifact_tail", { artifact_id: nul, lines: 1 })).toBe("nul: lines 5001 to 5001\n5001\ta\\x00b");
  expect(await call("open_file", { path: "binary" })).toBe(
    "[E_SANDBOX_BINARY, unsupported] binary is a binary file. Only text can be read.",
  );
});

test("a line of 10 MB is cut when it is shown, and found around a match", async () => {
  const { call, open } = await artifactRig({ a: `${"x".repeat(10_000_000)}needle${"y".repeat(1_000)}\nnext\n` });
  const id = await open("open_file", { path: "a" });
  expect(await call("artifact_head", { artifact_id: id })).toBe(
    `a: lines 1 to 2\n1\t${"x".repeat(2_000)}… (cut)\n2\tnext`,
  );
  expect(await call("artifact_grep", { artifact_id: id, pattern: "needle" })).toMatch(/^1:\t…x+needley+… \(cut\)$/);
});

test("more lines than fit into a result are continued from the one that is named", async () => {
  const { call, open } = await artifactRig({ a: `${"x".repeat(999)}\n`.repeat(100) });
  const id = await open("open_file", { path: "a" });
  const first = await call("artifact_cat", { artifact_id: id, start: 1, end: 100 });
  expect(first.split("\n").at(-1)).toBe("(go on with start 31)");
  expect((await call("artifact_cat", { artifact_id: id, start: 31, end: 32 })).split("\n")).toHaveLength(3);
  expect((await call("artifact_tail", { artifact_id: id, lines: 100 })).split("\n").slice(-2)).toEqual([
    `100\t${"x".repeat(999)}`,
    "(of 100 lines only these fit)",
  ]);
});

test("what is shown of a file is evidence for its lines", async () => {
  const { doors, call, open } = await artifactRig({ "a.log": hundred });
  const id = await open("open_file", { path: "a.log" });
  await call("artifact_cat", { artifact_id: id, start: 10, end: 12 });
  await call("artifact_grep", { artifact_id: id, pattern: "line 50" });
  await call("artifact_line_count", { artifact_id: id });
  const seen = Array.from({ length: 100 }, (_, at) => at + 1).filter((line) => doors.ledger.has("a.log", line));
  expect(seen).toEqual([10, 11, 12, 50]);
});

test("of files that are open at a time the one used longest ago is let go", async () => {
  const { call, open } = await artifactRig({ a: "a\n", b: "b\n" });
  const [first, second] = [await open("open_file", { path: "a" }), await open("open_file", { path: "a" })];
  for (let n = 0; n < 62; n++) await open("open_file", { path: "b" });
  await call("artifact_head", { artifact_id: first });
  await open("open_file", { path: "b" });
  expect(await call("artifact_head", { artifact_id: first })).toContain("1\ta");
  expect(await call("artifact_head", { artifact_id: second })).toMatch(/^\[E_SANDBOX_NO_ARTIFACT, not-found\]/);
});

test("ids of one session mean nothing in another", async () => {
  const files = { a: "a\n" };
  const [one, other] = [await artifactRig(files), await artifactRig(files)];
  const id = await one.open("open_file", { path: "a" });
  await other.open("open_file", { path: "a" });
  expect(await other.call("artifact_head", { artifact_id: id })).toMatch(/^\[E_SANDBOX_NO_ARTIFACT, not-found\]/);
});

test("nothing that was opened stays open behind the end", async () => {
  const before = openDescriptors();
  const { doors, open } = await artifactRig({ a: "a\n" });
  for (let n = 0; n < 5; n++) await open("open_file", { path: "a" });
  await doors.close();
  expect(openDescriptors()).toBe(before);
});

/** A private key of its own, in lines. */
function keyOf(mark: string): string {
  const body = Array.from(
    { length: 20 },
    (_, at) => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj${mark}${String(at).padStart(4, "A")}`,
  );
  return ["-----BEGIN PRIVATE KEY-----", ...body, "-----END PRIVATE KEY-----", "end"].join("\n");
}

test.each([
  ["small", "", 0],
  ["large", "filler\n".repeat(200_000), 200_000],
])("a key is hidden also where only its middle is shown, in a file that is %s", async (_, filler, above) => {
  const files = { a: `${filler}${keyOf("a")}`, b: `${filler}${keyOf("b")}` };
  const { call, open } = await artifactRig(files);
  const [a, b] = [await open("open_file", { path: "a" }), await open("open_file", { path: "b" })];
  const shown = [
    await call("artifact_cat", { artifact_id: a, start: above + 5, end: above + 8 }),
    await call("artifact_tail", { artifact_id: b, lines: 4 }),
  ];
  for (const text of shown) expect(text).toContain("[secret:private-key:");
  for (const text of shown) expect(text).not.toContain("MIIE");
});
