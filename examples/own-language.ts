/** A language of one's own for the offline model: data, like those it knows. */

import { offline, offlineLanguages, type Language, type Model } from "@croft/harness";

const lua: Language = {
  name: "Lua",
  extensions: ["lua"],
  quoted: [
    { kind: "comment", start: "--[^\\n]*" },
    { kind: "string", start: '"', end: '"', escapes: true },
  ],
  blocks: "indent",
  rules: [
    { kind: "function", pattern: "^[ \\t]*(?:local[ \\t]+)?function[ \\t]+NAME\\b", tail: "block", scope: "function" },
  ],
  imports: [],
  reexports: [],
  calls: ["[ \\t]*\\("],
  callPrefixes: [],
  statements: ["if", "while", "return"],
  nameCharacters: "",
  member: ".",
};

/** Reads Lua besides what it reads anyway. */
export function offlineWithLua(): Model {
  return offline([lua, ...offlineLanguages]);
}
