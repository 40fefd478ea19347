import { expect, test } from "vitest";
import { mentionsIn } from "./mentions.ts";

test.each([
  ["What does @src/a.ts do?", ["src/a.ts"]],
  ["@src/a.ts, @b.ts: and (@c.ts) or @d.ts's end. @e.ts!", ["src/a.ts", "b.ts", "c.ts", "d.ts", "e.ts"]],
  ["@a.ts:10-20 and @a.ts:7.", ["a.ts:10-20", "a.ts:7"]],
  ["@a.ts#L10-L20, (@a.ts#L7)", ["a.ts#L10-L20", "a.ts#L7"]],
  ['@"with blanks.md", @"odd)"', ["with blanks.md", "odd)"]],
  ["@src/ @. @.. @../../secret @/etc/passwd @.env", ["src/", ".", "..", "../../secret", "/etc/passwd", ".env"]],
  ["twice @a.ts @a.ts", ["a.ts"]],
  ["write to me@example.com, or `@Injectable()`, x@2 and y/@z", []],
  ["@ alone, @? and @", []],
  ["@Injectable() class\n@Component({ a: 1 })\n@angular/core", ["Injectable(", "Component({", "angular/core"]],
  ["@日本/語.ts。 @café.md", ["日本/語.ts。", "café.md"]],
  ["@__proto__ @constructor", ["__proto__", "constructor"]],
])("%j", (text, mentions) => {
  expect(mentionsIn(text)).toEqual(mentions);
});

test("a long text of signs is read in no time", () => {
  expect(mentionsIn(`@a${".".repeat(200_000)}b @c)'s`)).toEqual([`a${".".repeat(200_000)}b`, "c)"]);
  expect(mentionsIn(`${"@".repeat(200_000)} ${"@a".repeat(100_000)} @"${"x".repeat(200_000)}`)).toHaveLength(2);
});
