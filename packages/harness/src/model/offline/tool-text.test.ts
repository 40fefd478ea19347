import { expect, test } from "vitest";
import { parseEntries, parseHits, parseLines } from "./tool-text.ts";

test("search: matches, odd paths, lines beside matches, remarks", () => {
  const text = [
    "src/a.ts:12: const a = b: c:13: d;",
    "src/a.ts-13- beside",
    "--",
    "app/[id]/(group)/page.tsx:3: f(1)",
    "(group)/a.ts:4: f(2)",
    String.raw`"odd\n\"name.ts":5: text`,
    "src/empty.ts:6:",
    "(skipped: ignored files)",
    "(stopped at 100 matches; narrow with path or glob)",
  ].join("\n");
  expect(parseHits(text)).toEqual({
    hits: [
      { path: "src/a.ts", line: 12, text: "const a = b: c:13: d;" },
      { path: "app/[id]/(group)/page.tsx", line: 3, text: "f(1)" },
      { path: "(group)/a.ts", line: 4, text: "f(2)" },
      { path: 'odd\n"name.ts', line: 5, text: "text" },
      { path: "src/empty.ts", line: 6, text: "" },
    ],
    stopped: true,
    notes: ["skipped: ignored files", "stopped at 100 matches; name a folder in the question to narrow it"],
  });
  expect(parseHits("No matches.")).toEqual({ hits: [], stopped: false, notes: [] });
});

test("read_file: numbered lines, where they start, how many there are, where to go on", () => {
  expect(parseLines("src/a.ts: lines 3-4 of 9 (CRLF line endings)\n3\ta\tb\n4\t\n(continue with offset 5)")).toEqual({
    first: 3,
    lines: ["a\tb", ""],
    total: 9,
    next: 5,
  });
  expect(parseLines("src/a.ts: empty file")).toEqual({ first: 1, lines: [], total: 0, next: undefined });
});

test("list_files: entries and remarks", () => {
  expect(parseEntries('a/\nb.ts\n"odd\\nname"\n(300 of 412 entries; narrow with path, depth or glob)')).toEqual({
    entries: ["a/", "b.ts", "odd\nname"],
    notes: ["300 of 412 entries; name a folder in the question to narrow it"],
  });
  expect(parseEntries("(empty)")).toEqual({ entries: [], notes: [] });
});

test("a result that the loop cut in the middle: what stands beside the gap is not taken for whole", () => {
  const gap = "… (12 characters left out: ask for less) …";
  expect(parseHits(`a.ts:1: x\na.ts:1\n${gap}\n.ts:5: y\na.ts:6: z`)).toEqual({
    hits: [
      { path: "a.ts", line: 1, text: "x" },
      { path: "a.ts", line: 6, text: "z" },
    ],
    stopped: true,
    notes: ["some matches were left out of a long result"],
  });
  expect(parseLines(`a.ts: lines 1-9 of 20\n1\ta\n2\tb\n3\tha\n${gap}\n\tx\n9\tz\n(continue with offset 10)`)).toEqual({
    first: 1,
    lines: ["a", "b"],
    total: 20,
    next: 3,
  });
});
