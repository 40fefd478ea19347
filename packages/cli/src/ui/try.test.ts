import { test } from "vitest";
import { markdownRows } from "./markdown/draw.ts";
import { openHighlighter } from "./highlight/highlight.ts";
import { painted, widthOf } from "./terminal/look.ts";
import { fed, ended, emptyStream } from "./markdown/stream.ts";
test("x", () => {
  const src = "# Hello *world*\n\nSome `code` and **bold 日本語👩‍👩‍👧é🇯🇵 text** with [a link](https://x.y/z) and https://auto.link here.\n- one\n- two\n  - nested & `x`\n\n    para\n- [x] done\n\n1. a\n2. b\n\n> quote **x**\n> more\n\n```ts\nconst a: string = `x${b}`; // hi\n\tfoo();\n```\n\n| a | b |\n|---|--:|\n| 1 | two three four five six |\n| `x` | 日本語 |\n\n---\n<b>html</b>\n\nEnd &amp; done.";
  for (const w of [60, 20]) {
    const rows = markdownRows(src, w, openHighlighter());
    console.log(rows.map((r) => painted(r, true)).join("\n"));
    console.log(Math.max(...rows.map(widthOf)));
  }
  let s = emptyStream; const out: string[] = [];
  for (const c of src) { const r = fed(s, c); s = r.stream; out.push(...r.blocks); }
  out.push(...ended(s));
  console.log(JSON.stringify(out, null, 1));
});
