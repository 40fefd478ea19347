import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { artifactRig } from "../../preset/artifact-rig.testing.ts";

const text = "one\ntwo\nthree\n";

test("a file is staged, patched and saved, and nothing is written before that", async () => {
  const { root, call, open } = await artifactRig({ "a.txt": text });
  const file = join(root, "a.txt");
  const first = await open("stage_file", { path: "a.txt" });
  const patched = await call("apply_patch", { media_id: first, patch: { find: "two", replace: "2" } });
  expect(patched).toMatch(
    /^m2-....: a\.txt \(\+1 -1\)\. It is not saved yet: save_media writes it\.\n1\tone\n-\ttwo\n2\+\t2\n3\tthree$/,
  );
  const second = patched.slice(0, 7);
  const third = await open("apply_patch", {
    media_id: second,
    patch: "--- a/whatever\n+++ b/whatever\n@@ -1,3 +1,3 @@\n-one\n+1\n 2\n three\n",
  });
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(await call("save_media", { media_id: third, path: "a.txt" })).toBe(
    `Changed a.txt (+2 -2)\n-\tone\n-\ttwo\n1+\t1\n2+\t2\n3\tthree\n(${third} is saved)`,
  );
  expect(readFileSync(file, "utf8")).toBe("1\n2\nthree\n");
});

test("a copy never changes: from one, two ways lead on", async () => {
  const { root, call, open } = await artifactRig({ a: text });
  const first = await open("stage_file", { path: "a" });
  const one = await open("apply_patch", { media_id: first, patch: { find: "one", replace: "1" } });
  const other = await open("apply_patch", { media_id: first, patch: "@@ -3 +3 @@\n-three\n+3\n" });
  await call("save_media", { media_id: one, path: "one" });
  await call("save_media", { media_id: other, path: "other" });
  expect(["a", "one", "other"].map((name) => readFileSync(join(root, name), "utf8"))).toEqual([
    text,
    "1\ntwo\nthree\n",
    "one\ntwo\n3\n",
  ]);
});

test("a new text becomes a new file, its folders made on the way", async () => {
  const { root, call, open } = await artifactRig({});
  const id = await open("stage_file", { content: "x\n" });
  expect(await call("save_media", { media_id: id, path: "new/dir/a.txt" })).toBe(
    `Created new/dir/a.txt (+1 -0)\n(${id} is saved)`,
  );
  expect(readFileSync(join(root, "new/dir/a.txt"), "utf8")).toBe("x\n");
  expect(await call("stage_file", {})).toMatch(/expected either path or content/);
  expect(await call("stage_file", { path: "a", content: "x" })).toMatch(/expected either path or content/);
});

test("a copy is saved, changed again and saved again", async () => {
  const { root, call, open } = await artifactRig({ a: text });
  const first = await open("stage_file", { path: "a" });
  const second = await open("apply_patch", { media_id: first, patch: { find: "one", replace: "1" } });
  await call("save_media", { media_id: second, path: "a" });
  const third = await open("apply_patch", { media_id: second, patch: { find: "two", replace: "2" } });
  expect(await call("save_media", { media_id: third, path: "a" })).toMatch(/^Changed a/);
  expect(readFileSync(join(root, "a"), "utf8")).toBe("1\n2\nthree\n");
  expect(await call("save_media", { media_id: second, path: "a" })).toBe(
    "[E_SANDBOX_STALE, stale] a changed since it was staged. Stage it again, make the change again, and save that.",
  );
});

test("bytes are kept as they are: endings, mark, unknown bytes, mode, and what is no text", async () => {
  const { root, call, open } = await artifactRig({
    crlf: "\ufeffa\r\nb\r\n",
    latin: Buffer.from("caf\xe9\nx\n", "latin1"),
    tool: "#!/bin/sh\n",
    binary: "a\0b",
  });
  chmodSync(join(root, "tool"), 0o755);
  for (const [name, find, replace] of [
    ["crlf", "b", "c\nd"],
    ["latin", "x", "y"],
  ] as const) {
    const id = await open("stage_file", { path: name });
    const changed = await open("apply_patch", { media_id: id, patch: { find, replace } });
    await call("save_media", { media_id: changed, path: name });
  }
  for (const name of ["tool", "binary"]) {
    const id = await open("stage_file", { path: name });
    expect(await call("save_media", { media_id: id, path: `${name}-copy` })).toMatch(/^Created /);
  }
  expect(readFileSync(join(root, "crlf"), "utf8")).toBe("\ufeffa\r\nc\r\nd\r\n");
  expect(readFileSync(join(root, "latin"), "latin1")).toBe("caf\xe9\ny\n");
  expect(statSync(join(root, "tool-copy")).mode & 0o777).toBe(0o755);
  expect(readFileSync(join(root, "binary-copy"), "utf8")).toBe("a\0b");
});

test.each([
  ["what stands nowhere", { find: "four", replace: "4" }, /^\[E_SANDBOX_NO_MATCH, invalid\]/],
  ["what stands twice", { find: "t", replace: "T" }, /^\[E_SANDBOX_AMBIGUOUS, invalid\] find stands .* meant\.$/],
  ["what changes nothing", { find: "two", replace: "two" }, /^\[E_SANDBOX_NO_CHANGE, invalid\] find and replace are/],
  ["a hunk that fits nowhere", "@@ -1 +1 @@\n-zwei\n+2\n", /^\[E_SANDBOX_NO_MATCH, invalid\]/],
  ["no patch", "hello", /^\[E_SANDBOX_BAD_PATCH, invalid\]/],
  ["a new file", "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n", /^\[E_SANDBOX_BAD_PATCH, invalid\]/],
  [
    "two files",
    "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+1\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n",
    /BAD_PATCH, invalid/,
  ],
  ["another kind of patch", { find: "two" }, /^\[E_SANDBOX_INVALID_INPUT, invalid\].*patch/],
])("a patch of %s is refused", async (_, patch, words) => {
  const { call, open } = await artifactRig({ a: text });
  const id = await open("stage_file", { path: "a" });
  expect(await call("apply_patch", { media_id: id, patch })).toMatch(words);
});

test("nothing is saved over what is not what was staged", async () => {
  const { root, call, open } = await artifactRig({ a: text, b: "b\n", gone: "gone\n" });
  const id = await open("stage_file", { path: "a" });
  const changed = await open("apply_patch", { media_id: id, patch: { find: "two", replace: "2" } });
  expect(await call("save_media", { media_id: changed, path: "b" })).toBe(
    "[E_SANDBOX_EXISTS, invalid] There is a file b already, of which this is no copy. To change it stage that file; else save under another path.",
  );
  writeFileSync(join(root, "a"), "mine\n");
  expect(await call("save_media", { media_id: changed, path: "a" })).toMatch(/^\[E_SANDBOX_STALE, stale\] a changed/);
  const other = await open("stage_file", { content: "x\n" });
  expect(await call("save_media", { media_id: other, path: "a" })).toMatch(/^\[E_SANDBOX_EXISTS, invalid\]/);
  expect(["a", "b"].map((name) => readFileSync(join(root, name), "utf8"))).toEqual(["mine\n", "b\n"]);
  expect(await call("save_media", { media_id: id, path: "b" })).toMatch(/EXISTS/);
});

test("no name on the way may be a link", async () => {
  const { root, call, open } = await artifactRig({ "real/a": "a\n", b: "b\n" });
  symlinkSync("real", join(root, "folder"));
  symlinkSync("b", join(root, "link"));
  symlinkSync("../outside", join(root, "out"));
  const id = await open("stage_file", { content: "x\n" });
  const saved = (path: string): Promise<string> => call("save_media", { media_id: id, path });
  expect(await saved("folder/new")).toBe(
    '[E_SANDBOX_REFUSED, refused] "folder/new" leads to "real/new" through a link, which is not written here. Name the file itself: "real/new".',
  );
  const b = await open("stage_file", { path: "link" });
  const changed = await open("apply_patch", { media_id: b, patch: { find: "b", replace: "c" } });
  expect(await call("save_media", { media_id: changed, path: "link" })).toMatch(/^\[E_SANDBOX_REFUSED, refused\]/);
  for (const path of ["out/new", "../outside/new", "/tmp/new", "~/new", ".git/hooks/x", ".bashrc"]) {
    expect(await saved(path), path).toMatch(/^\[E_SANDBOX_/);
  }
  expect([readFileSync(join(root, "b"), "utf8"), existsSync(join(root, "real/new"))]).toEqual(["b\n", false]);
  expect(existsSync(join(root, "../outside/new"))).toBe(false);
});

test("outside of the folder that may be written nothing is saved", async () => {
  const { root, call, open } = await artifactRig({ "out/a": "a\n", b: "b\n" }, { writeRoot: "out" });
  mkdirSync(join(root, "outer"));
  symlinkSync("..", join(root, "out/up"));
  const id = await open("stage_file", { content: "x\n" });
  for (const path of ["b2", "outer/x", "out/../x", "out/up/x", "out"]) {
    expect(await call("save_media", { media_id: id, path }), path).toMatch(/^\[E_SANDBOX_(REFUSED|IS_FOLDER)/);
  }
  expect(await call("save_media", { media_id: id, path: "out/AGENTS.md" })).toMatch(/needs a person's approval/);
  expect(await call("save_media", { media_id: id, path: "out/deep/x" })).toMatch(/^Created out\/deep\/x/);
});

test("a copy that is in no file is not opened by its id, nor described", async () => {
  const { doors, call, open } = await artifactRig({ a: text });
  const id = await open("stage_file", { path: "a" });
  const changed = await open("apply_patch", { media_id: id, patch: { find: "two", replace: "2" } });
  const words = `[E_READER_NOT_DESCRIBABLE, invalid] ${changed} is a staged copy, which is in no file: there is nothing of it to open. Save it with save_media, then open the file that it was saved as.`;
  expect(await call("artifact_head", { artifact_id: changed })).toBe(words);
  expect(await call("artifact_json_get", { artifact_id: changed })).toBe(words);
  const media = doors.staging.get(changed);
  expect(() => JSON.stringify({ media })).toThrow(expect.objectContaining({ code: "E_READER_NOT_DESCRIBABLE" }));
  expect(JSON.parse(JSON.stringify(doors.staging.get(id)))).toEqual({ media: id, path: "a", hash: expect.any(String) });
  await call("save_media", { media_id: changed, path: "a" });
  expect(JSON.parse(JSON.stringify(media))).toEqual({ media: changed, path: "a", hash: expect.any(String) });
  expect(await call("artifact_head", { artifact_id: "m9-0000" })).toMatch(/^\[E_SANDBOX_NO_ARTIFACT, not-found\]/);
});

test("copies are bounded, and what is not saved is not what gives way", async () => {
  const { doors, call, open } = await artifactRig({ large: "x".repeat(16_000_000) });
  const first = await open("stage_file", { content: "kept\n" });
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.push(await open("stage_file", { path: "large" }));
  expect([first, ...ids].map((id) => doors.staging.has(id))).toEqual([true, false, true, true, true, true]);
  expect(await call("apply_patch", { media_id: ids[0], patch: { find: "a", replace: "b" } })).toMatch(
    /^\[E_SANDBOX_NO_MEDIA, not-found\]/,
  );
});

test("a secret is put back where it was, and nowhere else", async () => {
  const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
  const { root, call, open } = await artifactRig({ "a.txt": `token = ${secret}\nx = 1\n` });
  const id = await open("stage_file", { path: "./a.txt" });
  const changed = await call("apply_patch", { media_id: id, patch: { find: "x = 1", replace: "x = 2" } });
  expect(changed).not.toContain(secret);
  expect(await call("save_media", { media_id: changed.slice(0, 7), path: "b.txt" })).toMatch(
    /^\[E_SANDBOX_REFUSED, refused\]/,
  );
  expect(await call("save_media", { media_id: changed.slice(0, 7), path: "a.txt" })).toMatch(/^Changed a\.txt/);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(`token = ${secret}\nx = 2\n`);
  expect(existsSync(join(root, "b.txt"))).toBe(false);
});
