import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { growth, linear } from "../../../../test/support/growth.ts";
import { candidatesIn, type Candidate } from "./citation-syntax.ts";
import { readMarkdown } from "./prose.ts";

function candidates(text: string): Candidate[] {
  const markdown = readMarkdown(text);
  return markdown.sentences.flatMap((sentence) => candidatesIn(markdown, sentence));
}

/** What a reader sees: the likeliest path with its lines, doubtful ones with a question mark. */
function seen(text: string): string[] {
  return candidates(text).flatMap(({ paths, ranges, certain }) =>
    ranges.map(({ from, to }) => `${paths.at(-1)}:${from}${to === from ? "" : `-${to}`}${certain ? "" : "?"}`),
  );
}

/** Text, then what is cited in it. */
const cited: [string, ...string[]][] = [
  ["src/a.ts:3", "src/a.ts:3"],
  ["See src/a.ts:3.", "src/a.ts:3"],
  ["See src/a.ts:3, then go on.", "src/a.ts:3"],
  ["(src/a.ts:3)", "src/a.ts:3"],
  ["[src/a.ts:3]", "src/a.ts:3"],
  ["call(src/a.ts:3)", "src/a.ts:3"],
  ["src/a.ts:3: the text of the line", "src/a.ts:3"],
  ["src/a.ts:3:const x = 1", "src/a.ts:3"],
  ["Is it src/a.ts:3?", "src/a.ts:3"],
  ["It is src/a.ts:3!", "src/a.ts:3"],
  ["src/a.ts:3; src/b.ts:4", "src/a.ts:3", "src/b.ts:4"],
  ["src/a.ts:3/src/b.ts:4"],
  ["a.ts:3", "a.ts:3"],
  ["./a.ts:3", "a.ts:3"],
  ["././a.ts:3", "a.ts:3"],
  ["../a.ts:3", "../a.ts:3"],
  [".../agent/loop.ts:3", "agent/loop.ts:3"],
  ["…/agent/loop.ts:3", "agent/loop.ts:3"],
  ["/home/me/project/a.ts:3", "/home/me/project/a.ts:3"],
  ["a.ts:3-9", "a.ts:3-9"],
  ["a.ts:3–9", "a.ts:3-9"],
  ["a.ts:9-3", "a.ts:9-3"],
  ["a.ts:3-3", "a.ts:3"],
  ["a.ts:0", "a.ts:0"],
  ["a.ts:L3", "a.ts:3"],
  ["a.ts:L3-L9", "a.ts:3-9"],
  ["a.ts#L3", "a.ts:3"],
  ["a.ts#L3-L9", "a.ts:3-9"],
  ["a.ts#L3-9", "a.ts:3-9"],
  ["a.ts#L3C5-L9C2", "a.ts:3-9"],
  ["a.ts:3:5", "a.ts:3"],
  ["a.ts:3:5-8", "a.ts:3"],
  ["a.ts:3:5-9:2", "a.ts:3-9"],
  ["a.ts:3,7", "a.ts:3", "a.ts:7"],
  ["a.ts:3, 7", "a.ts:3", "a.ts:7"],
  ["a.ts:3, 7-9", "a.ts:3", "a.ts:7-9"],
  ["(a.ts:3,7,12-15)", "a.ts:3", "a.ts:7", "a.ts:12-15"],
  ["`a.ts:3, 7-9`", "a.ts:3", "a.ts:7-9"],
  ["a.ts:3, 7 tests fail", "a.ts:3"],
  ["a.ts:30, 7.", "a.ts:30"],
  ["a.ts:3,b.ts:4", "a.ts:3", "b.ts:4"],
  ["a.ts:3 and b.ts:4", "a.ts:3", "b.ts:4"],
  ["a.ts:3→b.ts:4", "a.ts:3", "b.ts:4"],
  ["a.ts:3—the start", "a.ts:3"],
  ["a.ts:3…", "a.ts:3"],
  ["`src/a.ts:3`", "src/a.ts:3"],
  ["``src/a.ts:3``", "src/a.ts:3"],
  ["`src/a.ts`:3", "src/a.ts:3"],
  ["`src/a.ts`:3-9.", "src/a.ts:3-9"],
  ["`src/a.ts:3`, `src/b.ts:4-5`", "src/a.ts:3", "src/b.ts:4-5"],
  ["`see src/a.ts:3`", "src/a.ts:3"],
  ["`grep -n foo src/a.ts:3`", "src/a.ts:3"],
  ["**src/a.ts:3**", "src/a.ts:3"],
  ["*src/a.ts:3*", "src/a.ts:3"],
  ["_src/a.ts:3_", "src/a.ts:3"],
  ["__src/a.ts:3__", "src/a.ts:3"],
  ["**Where:** src/a.ts:3", "src/a.ts:3"],
  ["**Where**:src/a.ts:3", "src/a.ts:3"],
  ['"src/a.ts:3"', "src/a.ts:3"],
  ["'src/a.ts:3'", "src/a.ts:3"],
  ["“src/a.ts:3”", "src/a.ts:3"],
  ["<code>src/a.ts:3</code>", "src/a.ts:3"],
  ["<src/a.ts:3>", "src/a.ts:3"],
  ["[the loop](src/a.ts:3)", "src/a.ts:3"],
  ["[the loop](src/a.ts#L3)", "src/a.ts:3"],
  ['[the loop](./src/a.ts#L3-L9 "title")', "src/a.ts:3-9"],
  ["[src/a.ts:3](src/a.ts#L3)", "src/a.ts:3", "src/a.ts:3"],
  ["[`src/a.ts:3`](src/a.ts#L3)", "src/a.ts:3", "src/a.ts:3"],
  ["[a.ts:3](https://example.com/a.ts)", "a.ts:3"],
  ["[1]: src/a.ts#L3", "src/a.ts:3"],
  ["- src/a.ts:3\n- src/b.ts:4", "src/a.ts:3", "src/b.ts:4"],
  ["1. src/a.ts:3\n2) src/b.ts:4", "src/a.ts:3", "src/b.ts:4"],
  ["- one:\n    - src/a.ts:3", "src/a.ts:3"],
  ["> src/a.ts:3", "src/a.ts:3"],
  ["# The loop (src/a.ts:3)", "src/a.ts:3"],
  ["| what | where |\n|---|---|\n| loop | src/a.ts:3 |", "src/a.ts:3"],
  ["|loop|src/a.ts:3|", "src/a.ts:3"],
  ["src/[id]/page.tsx:3", "src/[id]/page.tsx:3"],
  ["(src/[id]/page.tsx:3)", "src/[id]/page.tsx:3"],
  ["app/(group)/page.tsx:3", "app/(group)/page.tsx:3"],
  ["[here](app/(group)/[...slug]/page.tsx#L3)", "app/(group)/[...slug]/page.tsx:3"],
  ["@scope/x.ts:1", "@scope/x.ts:1"],
  ["src/my\\_file.ts:3", "src/my_file.ts:3"],
  ["_app.tsx:3", "_app.tsx:3"],
  ["pkg/__init__.py:3", "pkg/__init__.py:3"],
  ["src/a.test.ts:3", "src/a.test.ts:3"],
  ["src/a-b_c.d.ts:3", "src/a-b_c.d.ts:3"],
  [".github/workflows/ci.yml:3", ".github/workflows/ci.yml:3"],
  [".eslintrc.json:3", ".eslintrc.json:3"],
  ["données/é.ts:3", "données/é.ts:3"],
  ["在src/a.ts:3中", "在src/a.ts:3"],
  ["（src/a.ts:3）。", "src/a.ts:3"],
  ["src/a.ts:3\r\nsrc/b.ts:4\r\n", "src/a.ts:3", "src/b.ts:4"],
  ["logs/run.log:3", "logs/run.log:3"],
  ["package.json:3", "package.json:3"],
  ["main.rs:12", "main.rs:12"],
  ["Makefile:3", "Makefile:3?"],
  ["bin/croft:3", "bin/croft:3?"],
  [".gitignore:3", ".gitignore:3?"],
  ["src\\a.ts:3", "src\\a.ts:3?"],
  ["users.$id.tsx:3", "users.$id.tsx:3?"],
  ["`a b.ts`:3", "a b.ts:3?"],
  ["```a.ts:3```", "a.ts:3"],
  ["`a.ts:3", "a.ts:3"],
  ["```\nx.ts:1\n```\na.ts:3", "a.ts:3"],
  ["````\n```\nx.ts:1\n````\na.ts:3", "a.ts:3"],
];

/** Text in which nothing is certainly cited. */
const notCited: string[] = [
  "At 12:30 it ran.",
  "12:30:45",
  "from 9:05 to 10:15",
  "12:30pm",
  "2024-01-02T03:04:05Z",
  "http://x:8080",
  "http://localhost:3000/a.ts",
  "https://example.com/src/a.ts:3",
  "https://github.com/o/r/blob/main/src/a.ts#L3",
  "[a](https://github.com/o/r/blob/main/src/a.ts#L3)",
  "github.com/o/r/blob/main/src/a.ts#L3",
  "file:///x/a.ts:3",
  "webpack:///./src/a.ts:3",
  "vscode://file/x/a.ts:3",
  "localhost:3000",
  "example.com:443",
  "docs.rs:443",
  "example.sh:8080",
  "127.0.0.1:80",
  "::1",
  "[::1]:8080",
  "fe80::1:2",
  "2001:db8:85a3::8a2e:370:7334",
  "node:20",
  "node:20-alpine",
  "node.js:20",
  "Next.js:15",
  "image:latest",
  "postgres:16.2",
  "ghcr.io/owner/app.js:3",
  "registry.example.com/team/image:3",
  "docker run -p 8080:80 nginx:1",
  "v1.2.3",
  "v1.2.3:4",
  "npm:@types/node@20",
  "@types/node:20",
  "sha256:9f86d081884c",
  "C:\\x\\a.ts:3",
  "C:/x/a.ts:3",
  "\\\\server\\share\\a.ts:3",
  "3:1",
  "a ratio of 16:9",
  "Gen 1:2",
  "John 3:16-18",
  "key: 3",
  "port:3000",
  '{"a.ts":3}',
  '{"a.ts": 3}',
  "foo::bar",
  "std::vec:3",
  "HEAD:src/a.ts:3",
  ":100: :+1: :8ball:",
  "great:100:",
  "a.ts:3px",
  "a.ts:3.5",
  "a.ts:3-beta",
  "a.ts:1234567890",
  "a.ts:",
  "a.ts: 3",
  "a.ts",
  "a.ts lines 3-9",
  "a.ts line 3",
  "a.ts#3",
  "a.ts#section",
  "src/:3",
  "src/a.:3",
  "user@host.ts:3",
  "git@github.com:22",
  "console.log:3",
  "Class.method:12",
  "process.env:3",
  "x.y:3",
  "${dir}/a.ts:3",
  "src/{a,b}.ts:3",
  "src/**/*.ts:3",
  "src/*.ts:3",
  "~/a.ts:3",
  "#123",
  "fix:2",
  "a.ts:3-b.ts:4",
  "```\nsrc/a.ts:3\n```",
  "```ts\nat f (src/a.ts:3:5)\n```",
  "~~~\nsrc/a.ts:3\n~~~",
  "   ```\n   src/a.ts:3\n   ```",
  "- item\n  ```\n  src/a.ts:3\n  ```",
  "- ```\n  src/a.ts:3\n  ```",
  "> ```\n> src/a.ts:3\n> ```",
  "```\nsrc/a.ts:3",
  "````\n```\nsrc/a.ts:3\n```\n````",
  "The trace:\n\n    at f (src/a.ts:3:5)\n    at g (src/b.ts:4:5)\n\nEnd.",
  "\tat f (src/a.ts:3:5)",
  "",
  ":3",
  "#L3",
  "`:3`",
  "` `:3",
];

describe("what is a citation", () => {
  test.each(cited)("%j", (text, ...refs) => {
    expect(seen(text)).toEqual(refs);
  });

  test.each(notCited)("nothing certain in %j", (text) => {
    expect(candidates(text).filter(({ certain }) => certain)).toEqual([]);
  });

  test("the tables are large enough to mean something", () => {
    expect(cited.length + notCited.length).toBeGreaterThan(180);
  });

  test.each([
    ["`docs/my file.md:3`", ["docs/my file.md", "file.md"]],
    ["[x](docs/my file.md:3)", ["docs/my file.md", "file.md"]],
    ["[x](<docs/my file.md#L3>)", ["docs/my file.md", "file.md"]],
    ["[x](docs/my%20file.md#L3)", ["docs/my file.md", "docs/my%20file.md"]],
    ["`` alone, then `docs/my file.md:3`", ["docs/my file.md", "file.md"]],
    ["`run it src/a.ts:3`", ["run it src/a.ts", "src/a.ts"]],
    ["in my file.md:3", ["file.md"]],
    ["在src/a.ts:3", ["src/a.ts", "在src/a.ts"]],
  ])("%j may be read as %j", (text, paths) => {
    expect(candidates(text).map((candidate) => candidate.paths)).toEqual([paths]);
  });
});

const syntax = fc.constantFrom(
  ..."` `` ``` ~~~ \n \n\n [ ] ( ) ]( < > | - * _ # . .. ./ / \\ : :: :3 #L4 , ,7 -9 – 中 é 😀 \ud800 % %20 a.ts src/b.py Makefile e.g.".split(
    " ",
  ),
  " ",
  "    ",
  "\0",
);
const noise = fc
  .array(fc.oneof(syntax, fc.string({ maxLength: 4, unit: "binary" })), { maxLength: 60 })
  .map((parts) => parts.join(""));

describe("whatever the text", () => {
  test("nothing is thrown, two readings agree, and offsets enclose what was written", () => {
    fc.assert(
      fc.property(noise, (text) => {
        const found = candidates(text);
        expect(candidates(text)).toEqual(found);
        for (const { start, end, ranges, paths } of found) {
          const written = text.slice(start, end);
          expect(written).toMatch(/[:#]L?\d/);
          expect(written).toContain(String(ranges[0]?.from ?? 0).slice(0, 1));
          expect(paths.at(-1)).not.toBe("");
        }
        const starts = found.map(({ start }) => start);
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      }),
      { numRuns: 2_000 },
    );
  });

  test("sentences cover their block in order and code spans lie inside them", () => {
    fc.assert(
      fc.property(noise, (text) => {
        const { prose, sentences } = readMarkdown(text);
        expect(prose).toHaveLength(text.length);
        let last = 0;
        for (const { start, end, code } of sentences) {
          expect(start).toBeGreaterThanOrEqual(last);
          last = end;
          for (const span of code) expect([span.start >= start, span.end <= end]).toEqual([true, true]);
        }
        const spans = sentences.flatMap(({ code }) => code);
        for (const span of spans) expect(prose.slice(span.start, span.end)).toMatch(/^`+$/);
      }),
      { numRuns: 1_000 },
    );
  });

  test("a citation set in prose is found with its exact place", () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
    const path = fc
      .tuple(fc.array(name, { maxLength: 3 }), name)
      .map(([folders, file]) => [...folders, `${file}.ts`].join("/"));
    const line = fc.integer({ min: 1, max: 99_999 });
    const around = fc.constantFrom("", "See ", "(", "**", "- ", "\n\n", "Text. ", "😀 ");
    fc.assert(
      fc.property(around, path, line, line, (before, file, a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const ref = from === to ? `${file}:${from}` : `${file}:${from}-${to}`;
        const start = before.length;
        expect(candidates(`${before}${ref} and more`)).toEqual([
          {
            start,
            end: start + ref.length,
            paths: [file],
            ranges: [{ from, to }],
            certain: !/^(?:node|next)\.js$/.test(file),
          },
        ]);
      }),
    );
  });
});

describe("time is linear in the text", () => {
  const units: [string, string][] = [
    ["citations", "src/a.ts:3 "],
    ["citations without space", "a.ts:3"],
    ["colons", ":"],
    ["anchors", ":3"],
    ["hashes", "#L3"],
    ["one endless word", "a"],
    ["one endless path", "a/"],
    ["dots", "."],
    ["dots and brackets", ".)"],
    ["commas", ",7"],
    ["backticks", "`"],
    ["code spans", "`a` "],
    ["open brackets", "["],
    ["open links", "]("],
    ["closed brackets", ")a"],
    ["spaces", " "],
    ["empty lines", "\n"],
    ["list items", "- a\n"],
    ["table rows", "| `a` | b.ts:3 |\n"],
    ["sentence ends", "a. B"],
    ["quotes", ">"],
    ["fences", "```\n"],
    ["underscores", "_"],
    ["percents", "%20a.ts:3 "],
    ["full stop and spaces", ".            "],
    ["backslashes", "\\_"],
  ];
  test.each(units)("%s", async (_, unit) => {
    const enough = Math.ceil(10_000 / unit.length);
    expect(await growth((scale) => candidates(unit.repeat(enough * scale)))).toBeLessThan(linear);
  });

  test("backtick runs of ever new lengths before many pairs", async () => {
    const runs = (count: number): string => Array.from({ length: count }, (_, at) => "`".repeat(at + 2)).join(" ");
    // The square root of 16: the runs of all lengths together grow as fast as the pairs.
    const text = (scale: number): string => `${runs(100 * Math.sqrt(scale))} ${"`a ".repeat(5_000 * scale)}`;
    expect(await growth((scale) => candidates(text(scale)))).toBeLessThan(linear);
  });
});
