/** Rust. */

import type { Language } from "../language.ts";
import { lineComment, blockComment, doubleQuoted, character, statements } from "./shared.ts";

export const rust: Language = {
  name: "Rust",
  extensions: ["rs"],
  quoted: [
    lineComment,
    { ...blockComment, nests: true },
    { kind: "string", start: '\\b[bc]?r(#*)"', end: '"$1', spansLines: true },
    { ...doubleQuoted, spansLines: true },
    character,
  ],
  blocks: "braces",
  rules: [
    { kind: "method", pattern: "\\bfn\\s+NAME\\b", tail: "signature", within: ["impl", "trait"], scope: "function" },
    { kind: "function", pattern: "\\bfn\\s+NAME\\b", tail: "signature", scope: "function" },
    { kind: "macro", pattern: "\\bmacro_rules!\\s*NAME\\b", tail: "block", scope: "function" },
    { kind: "struct", pattern: "\\b(?:struct|union)\\s+NAME\\b", tail: "block", scope: "type" },
    { kind: "enum", pattern: "\\benum\\s+NAME\\b", tail: "block", scope: "type" },
    { kind: "trait", pattern: "\\btrait\\s+NAME\\b", tail: "block", scope: "type" },
    {
      kind: "impl",
      pattern:
        "^[ \\t]*(?:unsafe\\s+)?impl\\b(?:[^{};]*?\\bfor\\s+|\\s*(?:<(?:[^<>{};]|<[^<>{};]*>)*>)?\\s*)(?:&\\s*(?:'\\w+\\s+)?)?(?:mut\\s+|dyn\\s+)?(?:\\w+::)*(?<owner>\\w+)",
      tail: "block",
      scope: "type",
    },
    { kind: "module", pattern: "\\bmod\\s+NAME\\b", tail: "body", scope: "type" },
    { kind: "type", pattern: "\\btype\\s+NAME\\b" },
    { kind: "constant", pattern: "\\b(?:const|static)\\s+(?:mut\\s+|ref\\s+)?NAME\\s*:" },
    { kind: "variant", pattern: "(?:^|[{,])[ \\t]*NAME\\s*(?:[,({=}]|$)", within: ["enum"] },
    {
      kind: "field",
      pattern: "(?:^|[{,])[ \\t]*(?:pub(?:\\([^)]*\\))?\\s+)?NAME\\s*:[^:]",
      within: ["struct", "enum"],
    },
    { kind: "local variable", pattern: "\\blet\\s+(?:mut\\s+)?NAME\\b", role: "local" },
  ],
  imports: ["^[ \\t]*use\\b[^;]*;", "^[ \\t]*extern\\s+crate\\b[^;]*;"],
  reexports: ["^[ \\t]*pub(?:\\([^)]*\\))?\\s+use\\b[^;]*;"],
  calls: ["\\s*(?:::\\s*<[^;(){}]*>)?\\s*\\(", "!\\s*[(\\[{]"],
  callPrefixes: [],
  statements: [...statements, "match", "loop", "move", "unsafe"],
  nameCharacters: "",
  member: "::",
};
