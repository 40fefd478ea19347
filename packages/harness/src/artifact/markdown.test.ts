import { expect, test } from "vitest";
import { headingsIn } from "./markdown.ts";

/** Each as `1.1 ## Title 4`. */
async function headings(text: string): Promise<string[]> {
  async function* lines(): AsyncGenerator<{ line: number; text: string; cut: boolean }> {
    for (const [at, line] of text.split("\n").entries()) yield { line: at + 1, text: line, cut: false };
  }
  const found: string[] = [];
  for await (const { number, level, title, line } of headingsIn(lines())) {
    found.push(`${number} ${"#".repeat(level)} ${title} ${line}`);
  }
  return found;
}

test("headings have a number, counted level by level", async () => {
  expect(await headings("intro\n# A\ntext\n## B ##\n### C\nx\n## D\n# E\nend")).toEqual([
    "1 # A 2",
    "1.1 ## B 4",
    "1.1.1 ### C 5",
    "1.2 ## D 7",
    "2 # E 8",
  ]);
});

test("levels that are left out do not count in the number", async () => {
  expect(await headings("# A\n### B\n### C\n## D")).toEqual(["1 # A 1", "1.1 ### B 2", "1.2 ### C 3", "1.1 ## D 4"]);
});

test("what stands in a fence is code", async () => {
  const text = "# A\n```sh\n# no\n~~~\n```` \n# B\n~~~\n```\n# no\n~~~\n````x`\n# C";
  expect((await headings(text)).map((one) => one.split(" ")[2])).toEqual(["A", "B", "C"]);
});

test("a fence is ended only by one as long, of the same kind", async () => {
  expect(await headings("````\n```\n# no\n````\n# A")).toEqual(["1 # A 5"]);
  expect(await headings("~~~\n```\n# no\n    ~~~\n# no")).toEqual([]);
});

test("a line that is underlined is a heading, unless it is no paragraph", async () => {
  expect(await headings("A\n=\nB\n---\n\n---\n- x\n---\n> q\n===\n| a |\n---\n")).toEqual(["1 # A 1", "1.1 ## B 3"]);
});

test("in front matter, comments and code there are none", async () => {
  expect(await headings("---\ntitle: x\n# no\n---\n<!--\n# no\n-->\n<!-- # no -->\n    # no\n# A")).toEqual([
    "1 # A 10",
  ]);
});

test("what only begins like a heading is none", async () => {
  expect(await headings("#no\n####### no\n\\# no\n#\n  ## b")).toEqual(["1 #  4", "1.1 ## b 5"]);
});

test("no line of blanks and marks, whatever ends it, holds a reader up", async () => {
  const [blanks, marks] = [" ".repeat(8_000), "# ".repeat(4_000)];
  const found = await headings(`# ${blanks}\u2028\n# ${marks}\r!\n## ${"#".repeat(8_000)}\n# x ${blanks}##${blanks}`);
  expect(found).toEqual(["1 #  1", `2 # ${marks}\r! 2`, "2.1 ##  3", "3 # x 4"]);
});
