import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OutputRange } from "../outputs.ts";
import { outputId } from "../outputs.ts";
import { createCapture } from "./capture.ts";
import { keptOutputs } from "./kept-outputs.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-outputs-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const never = new AbortController().signal;
const range: OutputRange = { from: 1, limit: 10, lineLimit: 20, most: 1_000 };

/** The id of an output that a command might have had. */
async function captured(text: string): Promise<string> {
  const capture = createCapture({ folder, onText: () => undefined });
  await capture.write(Buffer.from(text));
  const { output } = await capture.finish();
  return outputId(output.file ?? "");
}

test("a long output is read from any line on, and only where it holds a text", async () => {
  const id = await captured(Array.from({ length: 20_000 }, (_, at) => `line ${at + 1} ü`).join("\n"));
  const outputs = keptOutputs(folder);
  expect(await outputs.read(id, { ...range, from: 9_999, limit: 2 }, never)).toEqual({
    lines: [
      { line: 9_999, text: "line 9999 ü", left: 0 },
      { line: 10_000, text: "line 10000 ü", left: 0 },
    ],
    more: true,
  });
  expect(await outputs.read(id, { ...range, from: 500, containing: "999 ü", limit: 2 }, never)).toEqual({
    lines: [
      { line: 999, text: "line 999 ü", left: 0 },
      { line: 1_999, text: "line 1999 ü", left: 0 },
    ],
    more: true,
  });
  expect(await outputs.read(id, { ...range, from: 20_000 }, never)).toMatchObject({ lines: [{}], more: false });
  expect(await outputs.read(id, { ...range, from: 20_001 }, never)).toEqual({ lines: [], more: false });
});

test("a line longer than can be shown is cut, searched whole, and takes no memory", async () => {
  const id = await captured(`${"x".repeat(5_000_000)}needle\nshort\n`);
  const outputs = keptOutputs(folder);
  const first = { line: 1, text: "x".repeat(20), left: 4_999_986 };
  expect(await outputs.read(id, { ...range, containing: "xneedle" }, never)).toEqual({ lines: [first], more: false });
  expect(await outputs.read(id, { ...range, most: 5 }, never)).toEqual({ lines: [first], more: true });
});

test("whatever else is kept is read likewise", async () => {
  const outputs = keptOutputs(folder);
  const id = (await outputs.keep("one\ntwo")) ?? "";
  expect(await outputs.read(id, range, never)).toEqual({
    lines: [
      { line: 1, text: "one", left: 0 },
      { line: 2, text: "two", left: 0 },
    ],
    more: false,
  });
  expect(await keptOutputs(join(folder, "gone")).keep("x")).toBeUndefined();
});

test("no id leads to anything else", async () => {
  writeFileSync(join(folder, "secret.txt"), "secret\n");
  const link = "output-00000000-0000-0000-0000-000000000000";
  symlinkSync("secret.txt", join(folder, `${link}.txt`));
  const outputs = keptOutputs(folder);
  const ids = ["secret", "../secret", `../${folder.split("/").at(-1)}/secret`, "", link, "output-"];
  for (const id of ids) {
    await expect(outputs.read(id, range, never), id).rejects.toMatchObject({ code: "E_NO_OUTPUT" });
  }
  expect(readdirSync(folder)).toHaveLength(2);
});

test("a read that is no longer wanted stops", async () => {
  const outputs = keptOutputs(folder);
  const id = (await outputs.keep("one")) ?? "";
  await expect(outputs.read(id, range, AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
});
