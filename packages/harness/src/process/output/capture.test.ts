import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCapture } from "./capture.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-capture-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function captured(output: string, options: { spoolLimit?: number; into?: string } = {}) {
  const heard: string[] = [];
  const { spoolLimit, into = folder } = options;
  const capture = createCapture({ folder: into, spoolLimit, onText: (text) => heard.push(text) });
  const bytes = Buffer.from(output);
  for (let at = 0; at < bytes.length; at += 1_000) await capture.write(bytes.subarray(at, at + 1_000));
  return { ...(await capture.finish()), heard: heard.join("") };
}

test("a short output is all in the text, and nothing is written", async () => {
  expect(await captured("a\x1b[1mb\r\nc")).toEqual({
    output: { text: "ab\nc", bytes: 9, file: undefined },
    notice: undefined,
    heard: "ab\nc",
  });
  expect(readdirSync(folder)).toEqual([]);
});

test("a long output is whole in a file that only its owner may read, made readable as the text is", async () => {
  const lines = Array.from({ length: 9_000 }, (_, index) => `10%\rline ${index}`).join("\r\n");
  const whole = Array.from({ length: 9_000 }, (_, index) => `line ${index}`).join("\n");
  const { output, notice, heard } = await captured(lines);
  const file = output.file ?? "";
  expect(readFileSync(file, "utf8")).toBe(whole);
  expect([statSync(file).mode & 0o777, output.bytes, notice, heard === whole]).toEqual([
    0o600,
    lines.length,
    undefined,
    true,
  ]);
  expect(output.text).toMatch(/^line 0\n[\s\S]*characters left out[\s\S]*line 8999$/);
});

test("of an output beyond the limit the beginning is kept, and it is said", async () => {
  const { output, notice } = await captured("0123456789\n".repeat(100_000), { spoolLimit: 1_000_000 });
  expect(statSync(output.file ?? "").size).toBe(1_000_000);
  expect(notice).toBe(`${output.file} holds only the beginning of the output: more than 1 MB.`);
});

test("where nothing can be written the output is captured all the same, and it is said", async () => {
  const { output, notice } = await captured("x\n".repeat(50_000), { into: join(folder, "absent") });
  expect([output.file, output.bytes, output.text.length > 29_000]).toEqual([undefined, 100_000, true]);
  expect(notice).toMatch(/^The whole output could not be kept: ENOENT/);
});
