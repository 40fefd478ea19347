/** Rust. */

import type { Language } from "../language.ts";
import { lineComment, blockComment, doubleQuoted, character, statements } from "./shared.ts";

export const rust: Language = {
  name: "Rust",
  extensions: ["rs"],
  quoted: [
    lineComment,
    { ...blockComment, nests: true },
    { kind: "string", start: String.raw`\b[bc]?r(#*)"`, end: '"$1', spansLines: true },
    { ...doubleQuoted, spansLines: true },
    character,
  ],
  blocks: "braces",
  rules: [
    {
      kind: "method",
      pattern: String.raw`\bfn\s+NAME\b`,
      tail: "signature",
      within: ["impl", "trait"],
      scope: "function",
    },
    { kind: "function", pattern: String.raw`\bfn\s+NAME\b`, tail: "signature", scope: "function" },
    { kind: "macro", pattern: String.raw`\bmacro_rules!\s*NAME\b`, tail: "block", scope: "function" },
    { kind: "struct", pattern: String.raw`\b(?:struct|union)\s+NAME\b`, tail: "block", scope: "type" },
    { kind: "enum", pattern: String.raw`\benum\s+NAME\b`, tail: "block", scope: "type" },
    { kind: "trait", pattern: String.raw`\btrait\s+NAME\b`, tail: "block", scope: "type" },
    {
      kind: "impl",
      pattern: String.raw`^[ \t]*(?:unsafe\s+)?impl\b(?:[^{};]*?\bfor\s+|\s*(?:<(?:[^<>{};]|<[^<>{};]*>)*>)?\s*)(?:&\s*(?:'\w+\s+)?)?(?:mut\s+|dyn\s+)?(?:\w+::)*(?<owner>\w+)`,
      tail: "block",
      scope: "type",
    },
    { kind: "module", pattern: String.raw`\bmod\s+NAME\b`, tail: "body", scope: "type" },
    { kind: "type", pattern: String.raw`\btype\s+NAME\b` },
    { kind: "constant", pattern: String.raw`\b(?:const|static)\s+(?:mut\s+|ref\s+)?NAME\s*:` },
    { kind: "variant", pattern: String.raw`(?:^|[{,])[ \t]*NAME\s*(?:[,({=}]|$)`, within: ["enum"] },
    {
      kind: "field",
      pattern: String.raw`(?:^|[{,])[ \t]*(?:pub(?:\([^)]*\))?\s+)?NAME\s*:[^:]`,
      within: ["struct", "enum"],
    },
    { kind: "local variable", pattern: String.raw`\blet\s+(?:mut\s+)?NAME\b`, role: "local" },
  ],
  imports: [String.raw`^[ \t]*use\b[^;]*;`, String.raw`^[ \t]*extern\s+crate\b[^;]*;`],
  reexports: [String.raw`^[ \t]*pub(?:\([^)]*\))?\s+use\b[^;]*;`],
  calls: [String.raw`\s*(?:::\s*<[^;(){}]*>)?\s*\(`, String.raw`!\s*[(\[{]`],
  callPrefixes: [],
  statements: [...statements, "match", "loop", "move", "unsafe"],
  nameCharacters: "",
  member: "::",
};
