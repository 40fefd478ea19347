/** Java. */

import type { Language } from "../language.ts";
import { lineComment, blockComment, doubleQuoted, character, statements } from "./shared.ts";

const javaType = "[ \\t]*[\\w@][\\w.<>,?&@\\[\\] \\t]*[\\w>\\]][ \\t]+";
const javaTypes = ["class", "interface", "enum", "record"];

export const java: Language = {
  name: "Java",
  extensions: ["java"],
  quoted: [
    lineComment,
    blockComment,
    { kind: "string", start: '"""', end: '"""', escapes: true, spansLines: true },
    doubleQuoted,
    character,
  ],
  blocks: "braces",
  rules: [
    { kind: "class", pattern: "\\bclass\\s+NAME\\b", tail: "block", scope: "type" },
    { kind: "interface", pattern: "\\binterface\\s+NAME\\b", tail: "block", scope: "type" },
    { kind: "enum", pattern: "\\benum\\s+NAME\\b", tail: "block", scope: "type" },
    { kind: "record", pattern: "\\brecord\\s+NAME\\s*[<(]", tail: "signature", scope: "type" },
    {
      kind: "method",
      pattern: `^${javaType}NAME\\s*\\(`,
      tail: "signature",
      after: "\\s*(?:\\{|;|throws\\b|default\\b)",
      within: javaTypes,
      scope: "function",
    },
    {
      kind: "constructor",
      pattern: "^[ \\t]*(?:(?:public|private|protected)\\s+)?(?:<[^<>(]*>\\s*)?NAME\\s*\\(",
      tail: "signature",
      after: "\\s*(?:\\{|throws\\b)",
      within: javaTypes,
      scope: "function",
    },
    { kind: "enum constant", pattern: "(?:^|[{,])[ \\t]*NAME\\s*(?:[,;({}]|$)", within: ["enum"] },
    { kind: "field", pattern: `^${javaType}NAME\\s*(?:\\[\\s*\\]\\s*)*[=;,]`, within: javaTypes },
    { kind: "local variable", pattern: `^${javaType}NAME\\s*(?:\\[\\s*\\]\\s*)*[=;,:]`, role: "local" },
  ],
  imports: ["^[ \\t]*(?:import|package)\\s[^;]*;"],
  reexports: [],
  calls: ["\\s*(?:<[^;(){}]*>)?\\s*\\("],
  callPrefixes: ["\\bnew\\s+", "@"],
  statements: [...statements, "import", "package"],
  nameCharacters: "$",
  member: ".",
};
