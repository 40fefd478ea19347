import { expect, onTestFinished, test } from "vitest";
import { createListing } from "./listing.ts";
import { ownFolder } from "./own-folder.ts";
import { keptOutputs, type Outputs } from "./outputs.ts";
import { linesIn } from "./lines.ts";

function outputs(): Outputs {
  const folder = ownFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return keptOutputs({ folder: folder.path });
}

test("what fits is shown, and nothing is kept", async () => {
  const listing = createListing(outputs());
  for (const line of ["one", "x".repeat(3_000)]) await listing.add(line);
  expect([listing.count, listing.isShown]).toEqual([2, true]);
  expect(await listing.end(["a note"])).toBe(`one\n${"x".repeat(2_000)}… (cut)\n(a note)`);
});

test("of what does not fit all is kept, from the first line on", async () => {
  const kept = outputs();
  const listing = createListing(kept, 1_100);
  const shown: boolean[] = [];
  for (let n = 1; n <= 200_000; n++) {
    await listing.add(`line ${n}`);
    if (n === 13 || n === 14) shown.push(listing.isShown);
  }
  const text = await listing.end([]);
  const id = /id (output-\S+)\)$/.exec(text)?.[1] ?? "";
  expect(text).toMatch(
    /^line 1\n[^]*line 13\n\(13 of 200000 lines are shown; all are kept: read on with read_output, id/,
  );
  expect(shown).toEqual([true, false]);
  using file = await kept.open(id);
  const lines = linesIn(file);
  const never = new AbortController().signal;
  expect(await lines.count(never)).toBe(200_000);
  expect((await Array.fromAsync(lines.last(1, 100, never)))[0]?.text).toBe("line 200000");
});

test("where nothing is kept, it is said how much there was", async () => {
  const listing = createListing(undefined, 1_020);
  for (let n = 1; n <= 9; n++) await listing.add(`line ${n}`);
  expect(await listing.end([])).toBe("line 1\nline 2\n(2 of 9 lines are shown: ask for less)");
});
