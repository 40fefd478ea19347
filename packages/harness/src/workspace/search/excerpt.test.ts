import { afterEach, expect, test } from "vitest";
import { policyFrom } from "../../policy/rules.ts";
import { excerptOf } from "./excerpt.ts";
import type { SearchBackend } from "../search.ts";
import { openFence } from "../fence/on-disk.ts";
import { rangeOf } from "../text/large.ts";
import { ripgrep } from "./ripgrep.ts";
import { plantTree } from "../tree.testing.ts";
import { openWorkspace, type Hit } from "../workspace.ts";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).toReversed()) cleanup();
});

const policy = policyFrom([{ name: "all", globs: ["**"], access: ["read"], decision: "allow" }]);
const never = new AbortController().signal;
const filler = `${"x".repeat(63)}\n`.repeat(20_000);

/** Searches one large file for "needle" and gives line, mark and text of each hit. */
async function find(
  content: string | Buffer,
  context = 0,
  path?: string,
  search: SearchBackend = ripgrep(""),
): Promise<{ seen: string[]; hits: Hit[]; skipped: string | undefined }> {
  const tree = plantTree({ "a.log": content });
  const fence = openFence(tree.root, policy);
  cleanups.push(tree.remove, () => fence.close());
  const workspace = openWorkspace({ fence, gate: async () => ({ allowed: true, by: "rule" }), search });
  const hits: Hit[] = [];
  let skipped: string | undefined;
  for await (const hit of workspace.search(
    { pattern: "needle", context, limit: 50, path },
    new AbortController().signal,
  )) {
    if ("done" in hit) skipped = hit.skipped;
    else hits.push(hit);
  }
  return { seen: hits.map(({ line, match, text }) => `${line}${match ? ":" : "-"}${text}`), hits, skipped };
}

test("lines of a large file are found with those around them, at either end too", async () => {
  const { seen } = await find(`needle one\nnext\n${filler}before\r\nthe needle\r\nafter\n${filler}needle`, 1);
  expect(seen).toEqual([
    "1:needle one",
    "2-next",
    "20003-before",
    "20004:the needle",
    "20005-after",
    "40005-" + "x".repeat(63),
    "40006:needle",
  ]);
});

test("a BOM shifts nothing", async () => {
  const { seen, hits } = await find(`\ufeff${filler}é needle\n`);
  expect(seen).toEqual(["20001:é needle"]);
  expect(hits[0]?.column).toBe(2);
});

test("a backend that knows no offsets has the lines counted", async () => {
  const rg = ripgrep("");
  const byNumber: SearchBackend = {
    ...rg,
    async *search(lookup, signal) {
      for await (const found of rg.search(lookup, signal)) {
        yield "done" in found ? found : { ...found, offset: undefined };
      }
    },
  };
  const text = `needle one\nnext\n${filler}before\r\n\u00e9 needle\r\nafter\n${filler}needle`;
  expect(await find(text, 1, undefined, byNumber)).toEqual(await find(text, 1));
});

test("a very long line is cut on both sides of the match, between characters", async () => {
  const { hits } = await find(`${filler}${"日本".repeat(9_999)}needle${"語".repeat(9_999)}\nnext\n`, 1);
  const [before, match] = hits;
  expect([before?.line, match?.line, hits.length]).toEqual([20_000, 20_001, 2]);
  expect(match?.text).toMatch(/^…[日本]+needle語+…$/);
  expect(match?.text.slice(match.column, match.column + 6)).toBe("needle");
});

test("bytes that are no UTF-8 are shown one by one", async () => {
  const { seen } = await find(Buffer.concat([Buffer.from(filler), Buffer.from("caf\xe9 needle\xe9\n", "latin1")]));
  expect(seen).toEqual(["20001:caf\\xE9 needle\\xE9"]);
});

test("a large binary file is passed over, or refused when it is named", async () => {
  const binary = `\0${filler}needle\n`;
  expect((await find(binary)).seen).toEqual([]);
  await expect(find(binary, 0, "a.log")).rejects.toMatchObject({ code: "E_BINARY" });
});

test.each(["le", "be"])(
  "large UTF-16 (%s) is searched as what it says, wherever its characters are cut",
  async (order) => {
    const wide = `${"x\u{1d11e}".repeat(20)}\n`;
    const text = `needle one\r\n${wide.repeat(9_000)}before\r\n\u{1d11e} needle\u0a0a é\r\nafter\n${"日".repeat(150_000)}needle${"本".repeat(9_000)}\n${wide.repeat(9_000)}needle`;
    const utf16 = Buffer.from(`\ufeff${text}`, "utf16le");
    const bytes = order === "le" ? utf16 : utf16.swap16();
    const [found, same] = [await find(bytes, 1), await find(`\ufeff${text}`, 1)];
    expect(found.hits.map(({ hash: _hash, ...hit }) => hit)).toEqual(same.hits.map(({ hash: _hash, ...hit }) => hit));
    expect(found.seen.slice(2, 5)).toEqual(["9002-before", "9003:\u{1d11e} needle\u0a0a é", "9004-after"]);
    expect(found.hits.filter(({ match }) => match)).toHaveLength(4);
    expect((await find(bytes, 1, "a.log")).seen).toEqual(found.seen);
  },
);

test("where no line begins any more, nothing is shown", async () => {
  const tree = plantTree({ "a.log": filler });
  const fence = openFence(tree.root, policy);
  cleanups.push(tree.remove, () => fence.close());
  using file = fence.pin("a.log", "read");
  const at = async (offset: number): Promise<string | undefined> =>
    (await excerptOf((start, end) => rangeOf(fence, file, start, end), { offset, column: 0 }, 0, never))?.line;
  expect(await Promise.all([at(0), at(64), at(63), at(65), at(filler.length), at(filler.length + 64)])).toEqual([
    "x".repeat(63),
    "x".repeat(63),
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("another size is another version", async () => {
  const [one, two] = await Promise.all([find(`needle\n${filler}`), find(`needle\n${filler}more\n`)]);
  expect(one.hits[0]?.hash).not.toBe(two.hits[0]?.hash);
  expect((await find(`needle\n${filler}`)).hits[0]?.hash).toBe(one.hits[0]?.hash);
});
