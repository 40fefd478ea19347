import { expect, test } from "vitest";
import { draftOf, emptyDraft, insert, paste, pasteLabel, wholeText, type Draft } from "./draft.ts";
import { layOut } from "./draft-rows.ts";
import { edited, type EditBuffer } from "./edits.ts";

function pressed(draft: Draft, ...keys: string[]): EditBuffer {
  const buffer: EditBuffer = { draft, killed: "", undo: [] };
  return keys.reduce((buffer, key) => edited(buffer, key, 20) ?? buffer, buffer);
}

function shown({ text, cursor }: Draft): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

test("what is put among wide characters stands there once", () => {
  const moved = pressed(draftOf("東京都xyz"), "left", "left", "left").draft;
  expect(shown(insert(moved, "、"))).toBe("東京都、|xyz");
});

test.each([
  ["👩‍👩‍👧é🇯🇵", ["left", "left"], "👩‍👩‍👧|é🇯🇵"],
  ["👩‍👩‍👧é🇯🇵", ["backspace"], "👩‍👩‍👧é|"],
  ["one two", ["ctrl+left", "ctrl+w"], "|two"],
  ["one two", ["home", "alt+d", "end", "ctrl+y"], " twoone|"],
  ["a\nbc", ["up", "ctrl+k"], "a|bc"],
  ["a\nbc", ["up", "ctrl+k", "ctrl+k"], "a|"],
  ["a\nbc", ["home", "backspace"], "a|bc"],
  ["ab", ["left", "shift+enter"], "a\n|b"],
  ["gone", ["ctrl+u", "ctrl+-"], "gone|"],
  ["long enough to be broken", ["up"], "long| enough to be broken"],
])("%j with %j", (text, keys, result) => {
  expect(shown(pressed(draftOf(text), ...keys).draft)).toBe(result);
});

test("a long paste is one character, shown as what it is and sent whole", () => {
  const words = Array.from({ length: 10_000 }, (_, line) => `line ${line}\t.`).join("\n");
  const draft = insert(paste(insert(emptyDraft, "see "), `${words}\r\n`), " there");
  const mark = draft.text.slice(4, 6);
  expect([draft.text.length, pasteLabel(draft, mark)]).toEqual([12, "[pasted 10001 lines]"]);
  expect(wholeText(draft)).toBe(`see ${words}\n there`);
  expect(pressed(draft, "ctrl+home", "right", "right", "right", "right", "delete").draft.text).toBe("see  there");
});

test("a text longer than anybody types comes back as a paste", () => {
  const text = "line\n".repeat(10_000);
  expect(Array.from(draftOf(text).text)).toHaveLength(1);
  expect(wholeText(draftOf(text))).toBe(text);
  expect(draftOf("line\n".repeat(10)).text).toBe("line\n".repeat(10));
});

test("nothing that is typed or pasted can stand for a paste, or hold a control character", () => {
  const draft = paste(paste(emptyDraft, "x\n".repeat(20)), "a\u{10f000}b\u001b[31m\u0007c");
  expect(wholeText(draft)).toBe(`${"x\n".repeat(20)}ab[31mc`);
});

test("rows break between graphemes, and the cursor has a column of its own", () => {
  const layout = layOut(draftOf("日本語日本"), 6);
  expect(layout.rows.map((row) => row.map(({ text }) => text).join(""))).toEqual(["日本語", "日本"]);
  expect(layout.cursor).toEqual({ row: 1, column: 4 });
  expect(layOut(draftOf("日本語"), 6).cursor).toEqual({ row: 1, column: 0 });
});
