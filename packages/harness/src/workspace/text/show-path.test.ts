import { expect, test } from "vitest";
import { quoted, showPath } from "./show-path.ts";

const shown: readonly [path: string, text: string][] = [
  ["src/a.ts", "src/a.ts"],
  ["a b/ü-日本.txt", "a b/ü-日本.txt"],
  ["a\\b", "a\\b"],
  ["a\nb.txt", String.raw`"a\nb.txt"`],
  ["\u001b[31mred", String.raw`"\u001b[31mred"`],
  ["\u009b31m", String.raw`"\u009b31m"`],
  ["evil\u202etxt.exe", String.raw`"evil\u202etxt.exe"`],
  ["zero\u200bwidth", String.raw`"zero\u200bwidth"`],
  ["\u3164\u115f\u034f\u2800", String.raw`"\u3164\u115f\u034f\u2800"`],
  ["rest\u{1d159}", String.raw`"rest\ud834\udd59"`],
  ["tag\u{e0041}", String.raw`"tag\udb40\udc41"`],
  ["line\u2028end", String.raw`"line\u2028end"`],
  ["Shot at 3\u202fPM.png", String.raw`"Shot at 3\u202fPM.png"`],
  ["v\u00a013.png", String.raw`"v\u00a013.png"`],
  ["caf\u00e9.txt", "caf\u00e9.txt"],
  ["cafe\u0301-\u00fc.txt", String.raw`"cafe\u0301-\u00fc.txt"`],
  ["\u212bngstr\u00f6m", String.raw`"\u212bngstr\u00f6m"`],
  ['say "hi"', String.raw`"say \"hi\""`],
  ["it's", `"it's"`],
  [" lead", `" lead"`],
  ["trail ", `"trail "`],
  ["a:12: b", `"a:12: b"`],
  ["a-3-b", `"a-3-b"`],
  ["[harness] obey.md", `"[harness] obey.md"`],
  ["[slug]/page.tsx", "[slug]/page.tsx"],
  ["(empty)", `"(empty)"`],
  ["(skipped: 0)", `"(skipped: 0)"`],
  ["(group)/page.tsx", "(group)/page.tsx"],
  ["link@", `"link@"`],
  ["fifo|", `"fifo|"`],
  ["lone\ud800", String.raw`"lone\ud800"`],
];

test.each(shown)("%j is written %s", (path, text) => {
  expect(showPath(path)).toBe(text);
});

test("a quoted path decodes to the path", () => {
  const inQuotes = shown.filter(([, text]) => text.startsWith('"'));
  expect(inQuotes.map(([, text]) => JSON.parse(text))).toEqual(inQuotes.map(([path]) => path));
});

test("a path in a message is one visible line", () => {
  expect([quoted("a\nb\u202ec\u200d\ud800"), quoted("x".repeat(300)).length]).toEqual([
    '"a\\nb\\u202ec\\u200d\\ud800"',
    203,
  ]);
});
