/** What several languages have in common. */

import type { Quoted } from "../language.ts";

export const lineComment: Quoted = { kind: "comment", start: "//.*" };
export const blockComment: Quoted = {
  kind: "comment",
  start: String.raw`/\*`,
  end: String.raw`\*/`,
  spansLines: true,
  goesOn: String.raw`\*(?:\s|/|$)`,
};
export const doubleQuoted: Quoted = { kind: "string", start: '"', end: '"', escapes: true };
export const singleQuoted: Quoted = { kind: "string", start: "'", end: "'", escapes: true };
export const character: Quoted = { kind: "string", start: String.raw`'(?:\\[^\n]+?|[^'\\\n])'` };

export const statements: readonly string[] =
  "return new throw else case goto delete await yield typeof in of instanceof sizeof if while for switch do catch assert with function co_return co_await".split(
    " ",
  );
