import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCapture } from "../process/output/capture.ts";
import { outputId } from "../process/outputs.ts";
import { openDescriptors } from "../workspace/tree.testing.ts";
import { linesIn } from "./lines.ts";
import { keptOutputs } from "./outputs.ts";
import { pageFrom } from "./page.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-outputs-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const never = new AbortController().signal;

/** The lines of an output from one on, and whether there are more. */
async function read(id: string, from: number, limit: number): Promise<[lines: string[], more: boolean]> {
  using file = await keptOutputs({ folder }).open(id);
  const { lines, more } = await pageFrom({ file, lines: linesIn(file) }, from, { limit, most: 10_000 }, never);
  return [lines.map(({ line, text, cut }) => `${line}:${text}${cut ? "…" : ""}`), more];
}

test("what a command printed is read from any line on", async () => {
  const capture = createCapture({ folder, onText: () => undefined });
  await capture.write(Buffer.from(Array.from({ length: 20_000 }, (_, at) => `line ${at + 1} ü`).join("\n")));
  const { output } = await capture.finish();
  const id = outputId(output.file ?? "");
  expect(await read(id, 9_999, 2)).toEqual([["9999:line 9999 ü", "10000:line 10000 ü"], true]);
  expect(await read(id, 20_000, 2)).toEqual([["20000:line 20000 ü"], false]);
  expect(await read(id, 20_001, 2)).toEqual([[], false]);
});

test("a text is kept at once or in pieces, and says what it could not hold", async () => {
  const outputs = keptOutputs({ folder });
  const kept = await outputs.begin();
  for (let n = 1; n <= 3; n++) await kept?.write(`part ${n}\n`);
  expect(await kept?.end()).toBeUndefined();
  expect(await read(kept?.id ?? "", 1, 9)).toEqual([["1:part 1", "2:part 2", "3:part 3"], false]);
  expect(await read((await outputs.keep("one\ntwo")) ?? "", 1, 9)).toEqual([["1:one", "2:two"], false]);
  const nowhere = keptOutputs({ folder: join(folder, "gone") });
  expect([await nowhere.keep("x"), await nowhere.begin()]).toEqual([undefined, undefined]);
});

test("no id leads to anything else", async () => {
  writeFileSync(join(folder, "secret.txt"), "secret\n");
  const link = "output-00000000-0000-0000-0000-000000000000";
  symlinkSync("secret.txt", join(folder, `${link}.txt`));
  const outputs = keptOutputs({ folder });
  const descriptors = openDescriptors();
  for (const id of ["secret", "../secret", `../${folder.split("/").at(-1)}/secret`, "", link, "output-"]) {
    await expect(outputs.open(id), id).rejects.toMatchObject({ code: "E_NO_OUTPUT" });
  }
  expect([readdirSync(folder).length, openDescriptors()]).toEqual([2, descriptors]);
});

test("a read that is no longer wanted stops", async () => {
  const outputs = keptOutputs({ folder });
  using file = await outputs.open((await outputs.keep("one")) ?? "");
  const stopped = AbortSignal.abort(new Error("stop"));
  await expect(linesIn(file).from(2, 100, stopped).next()).rejects.toThrow("stop");
});
