import fc from "fast-check";
import { expect, test } from "vitest";
import helpWords from "../words/help.md";
import runWords from "../words/run.md";
import { fitted } from "./fitted.ts";

const help = `Usage:
  croft run "<task>"      do one task by changing files
  croft tool              list the tools
  -y, --yes               apply ordinary changes unasked; secrets and commands that
                          delete are asked about
croft is a long line of words, which goes on in the next one because it is as long as that: more than 100
letters.
A line of its own.
`;

test("lines are broken between words below their column, and what goes on is put together first", () => {
  expect(fitted(help, 52)).toBe(`Usage:
  croft run "<task>"      do one task by changing
                          files
  croft tool              list the tools
  -y, --yes               apply ordinary changes
                          unasked; secrets and
                          commands that delete are
                          asked about
croft is a long line of words, which goes on in the
next one because it is as long as that: more than
100 letters.
A line of its own.
`);
});

test("a column that would leave next to nothing is given up", () => {
  expect(fitted('  croft run "<task>"      do one task by changing files', 30)).toBe(
    '  croft run "<task>"      do\n    one task by changing files',
  );
});

test.each([undefined, 200])("nothing changes where there is room: %s columns", (columns) => {
  expect(fitted(helpWords, columns)).toBe(helpWords);
});

test("whatever the width, the words are the same, in order, and fit unless one alone is wider", () => {
  fc.assert(
    fc.property(fc.constantFrom(helpWords, runWords), fc.integer({ min: 1, max: 160 }), (text, columns) => {
      const out = fitted(text, columns);
      expect(out.split(/\s+/)).toEqual(text.split(/\s+/));
      const wide = out.split("\n").filter(({ length }) => length > columns);
      if (columns >= 60) expect(wide).toEqual([]);
    }),
  );
});
