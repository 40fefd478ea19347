import { expect, test } from "vitest";
import { showText } from "./show-text.ts";

test("what is drawn as nothing, or turns text around, is shown as its number", () => {
  const hidden = [
    "\u200b",
    "\u00ad",
    "\u202e",
    "\u2066",
    "\ufeff",
    "\u{e0041}",
    "\u{e0101}",
    "\u3164",
    "\u115f",
    "\u034f",
    "\u2800",
    "\u{1d159}",
    "\u0007",
    "\r",
    "\ud800",
  ];
  expect(hidden.map(showText)).toEqual([
    String.raw`\u{200b}`,
    String.raw`\u{ad}`,
    String.raw`\u{202e}`,
    String.raw`\u{2066}`,
    String.raw`\u{feff}`,
    String.raw`\u{e0041}`,
    String.raw`\u{e0101}`,
    String.raw`\u{3164}`,
    String.raw`\u{115f}`,
    String.raw`\u{34f}`,
    String.raw`\u{2800}`,
    String.raw`\u{1d159}`,
    String.raw`\u{7}`,
    String.raw`\u{d}`,
    String.raw`\u{d800}`,
  ]);
});

test("what can be seen stays as it is", () => {
  const text = "# Título\n\n\t- 日本語 ⚠️ ❤️ 𝄞 <!-- a comment --> [x](y) \\u{200b}\n";
  expect(showText(text)).toBe(text);
});
