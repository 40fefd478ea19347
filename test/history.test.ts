/** The replay of real history, on a history made here. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { engine } from "../bench/history/engine.ts";
import { replayHistory, type Report } from "../bench/history/replay.ts";
import type { Hands } from "../bench/history/tally.ts";
import { openTools } from "../bench/history/tools.ts";

const clone = mkdtempSync(join(tmpdir(), "croft-history-test-"));
const latin = (text: string): Buffer => Buffer.from(text, "latin1");
const wide = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");
const numbered = (mark: string): string => Array.from({ length: 60 }, (_, index) => `${mark} ${index}\n`).join("");

/** What each file holds, one commit after the other. */
const histories: Readonly<Record<string, readonly (string | Buffer)[]>> = {
  "lf.ts": [1, 2, 3, 4, 5, 6, 7].map((n) => `${numbered("a")}  call("${n}");\n${numbered("b")}\t'last ${n}'\n`),
  "crlf.txt": ["one\r\ntwo\r\nthree\r\n", "one\r\n2\r\nand\r\nthree\r\n"],
  "mixed.txt": ["one\r\ntwo\nthree\r\nfour\n", "one\r\n2\nthree\r\nnew\r\nfour\n"],
  "ends.txt": ["one\r\ntwo\r\n", "one\ntwo\n"],
  "mark.txt": ["\ufeffone\ntwo\n", "\ufeff1\ntwo\n"],
  "latin.txt": [latin("caf\xe9\nnow\n"), latin("caf\xe9\nthen\n")],
  "words.txt": [latin("caf\xe9\nnow\n"), latin("caf\xe9\nmaintenant \xe0 l'\xe9t\xe9\n")],
  "wide.txt": [wide("eins\r\nzwei\r\n"), wide("eins\r\nzwölf\r\n")],
  "open.txt": ["one\ntwo", "one\nthree"],
  "same.txt": ["}\n}\n}\n}\n}\n}\n}\n}\n", "}\n}\n}\n}\n{\n}\n}\n}\n"],
  "added.txt": ["one\r\nthree\r\n", "one\r\ntwo\r\n2\r\nthree\r\n"],
  "picture.bin": [Buffer.of(0, 1, 2), Buffer.of(0, 1, 3)],
};

beforeAll(() => {
  const git = (...args: readonly string[]): void => {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.autocrlf=false"];
    execFileSync("git", [...identity, "-C", clone, ...args]);
  };
  git("init", "--quiet");
  for (let step = 0; step < 7; step++) {
    for (const [path, versions] of Object.entries(histories)) {
      const version = versions[step];
      if (version !== undefined) writeFileSync(join(clone, path), version);
    }
    git("add", "--all");
    git("commit", "--quiet", "--message", `step ${step}`);
  }
});

afterAll(() => rmSync(clone, { recursive: true }));

/** One number for all arms. */
function sums({ arms }: Report): Record<string, number> {
  const total: Record<string, number> = { cases: 0, exact: 0, text: 0, wrong: 0 };
  const add = (name: string, number: number): void => void (total[name] = (total[name] ?? 0) + number);
  for (const { cases, exact, text, wrong, refused } of arms) {
    for (const [name, number] of Object.entries({ cases, exact, text, wrong, ...refused })) add(name, number);
  }
  return total;
}

test("what commits did is done again by the edit engine, or refused, and never wrong", async () => {
  const report = await replayHistory([clone], 100, engine);
  expect({ ...report, arms: report.arms.slice(0, 4) }).toEqual({
    files: 15,
    kinds: {
      LF: 11,
      CRLF: 3,
      "mixed line ends": 1,
      "utf-8": 11,
      "utf-8-bom": 1,
      "utf-16le": 1,
      "unknown encoding": 2,
      "no final newline": 1,
    },
    passed: { binary: 1, "only line ends": 1 },
    arms: [
      { arm: "edits", cases: 15, exact: 13, text: 1, wrong: 0, refused: { E_ENCODING: 1 } },
      { arm: "unified", cases: 15, exact: 13, text: 1, wrong: 0, refused: { E_ENCODING: 1 } },
      { arm: "envelope", cases: 15, exact: 13, text: 1, wrong: 0, refused: { E_ENCODING: 1 } },
      { arm: "diff of git", cases: 12, exact: 12, text: 0, wrong: 0, refused: {} },
    ],
    wrong: [],
  });
  expect(sums(report)).toEqual({
    cases: 279,
    exact: 106,
    text: 4,
    wrong: 0,
    E_AMBIGUOUS: 34,
    E_ENCODING: 3,
    E_NO_MATCH: 132,
  });
});

test("the tools do the same, and refuse a file that is no longer as it was read", async () => {
  const tools = await openTools();
  try {
    const report = await replayHistory([clone], 100, tools);
    expect(report.wrong).toEqual([]);
    expect(sums(report)).toEqual({
      cases: 279,
      exact: 106,
      text: 4,
      wrong: 0,
      E_AMBIGUOUS: 34,
      E_ENCODING: 3,
      E_NO_MATCH: 126,
      E_STALE: 6,
    });
  } finally {
    await tools.close();
  }
});

test.each([
  [
    "artifact",
    { cases: 279, exact: 106, text: 4, wrong: 0, E_AMBIGUOUS: 34, E_ENCODING: 3, E_NO_MATCH: 126, E_STALE: 6 },
  ],
  // No patches, but insertions.
  [
    "anthropic",
    { cases: 90, exact: 30, text: 1, wrong: 0, E_AMBIGUOUS: 14, E_ENCODING: 1, E_NO_MATCH: 42, E_STALE: 2 },
  ],
] as const)("so do those of %s, as far as they have such calls", async (name, counts) => {
  const tools = await openTools(name);
  try {
    const report = await replayHistory([clone], 100, tools);
    expect(report.wrong).toEqual([]);
    expect(sums(report)).toEqual(counts);
  } finally {
    await tools.close();
  }
});

test("a tool that flattens line ends, adds a final newline or takes the first of several places is found out", async () => {
  const wrongIn = async (arm: string, apply: Hands["apply"]): Promise<string[]> => {
    const { wrong } = await replayHistory([clone], 100, { ...engine, apply });
    return [...new Set(wrong.filter((one) => one.arm === arm).map(({ path }) => path))].toSorted();
  };
  const spoilt =
    (spoil: (text: string) => string): Hands["apply"] =>
    async (file, calls) =>
      Buffer.from(spoil((await engine.apply(file, calls)).toString("latin1")), "latin1");
  const first: Hands["apply"] = async (file, calls) =>
    Buffer.from(
      calls.reduce(
        (text, call) => (call.tool === "edit_file" ? text.replace(call.old, () => call.new) : text),
        file.toString(),
      ),
    );
  expect(
    await wrongIn(
      "edits",
      spoilt((text) => text.replaceAll("\r\n", "\n")),
    ),
  ).toEqual(["added.txt", "crlf.txt"]);
  expect(
    await wrongIn(
      "edits",
      spoilt((text) => text.replace(/(?<![\n\0])$/, "\n")),
    ),
  ).toEqual(["open.txt"]);
  expect(await wrongIn("edits: a copy before", first)).toEqual(["lf.ts", "same.txt"]);
});
