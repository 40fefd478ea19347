import { expect, test } from "vitest";
import { importsIn } from "./imports.ts";

test.each<[string, string[]]>([
  ["@RULES.md", ["RULES.md"]],
  ["See @docs/a.md and (@../b.md), then @docs/a.md.\n- @c.md!", ["docs/a.md", "../b.md", "c.md"]],
  ["Write to me@example.org or a@b", []],
  ["`@a.md` and ``@b.md`` and @c.md", ["c.md"]],
  ["```\n@a.md\n~~~\n@b.md\n```\n@c.md", ["c.md"]],
  ["````md\n```\n@a.md\n```\n````\n@b.md", ["b.md"]],
  ["~~~\n@a.md", []],
  ["@", []],
  ["@.", []],
  [`@${"x".repeat(501)}`, []],
  ["@~/a.md @/etc/passwd", ["~/a.md", "/etc/passwd"]],
  ["@a.md\r\n@b.md\r\n", ["a.md", "b.md"]],
])("%j imports %j", (text, imports) => {
  expect(importsIn(text)).toEqual(imports);
});
