/** Java. */

import type { Language } from "../language.ts";
import { lineComment, blockComment, doubleQuoted, character, statements } from "./shared.ts";

const javaType = String.raw`[ \t]*[\w@][\w.<>,?&@\[\] \t]*[\w>\]][ \t]+`;
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
    { kind: "class", pattern: String.raw`\bclass\s+NAME\b`, tail: "block", scope: "type" },
    { kind: "interface", pattern: String.raw`\binterface\s+NAME\b`, tail: "block", scope: "type" },
    { kind: "enum", pattern: String.raw`\benum\s+NAME\b`, tail: "block", scope: "type" },
    { kind: "record", pattern: String.raw`\brecord\s+NAME\s*[<(]`, tail: "signature", scope: "type" },
    {
      kind: "method",
      pattern: String.raw`^${javaType}NAME\s*\(`,
      tail: "signature",
      after: String.raw`\s*(?:\{|;|throws\b|default\b)`,
      within: javaTypes,
      scope: "function",
    },
    {
      kind: "constructor",
      pattern: String.raw`^[ \t]*(?:(?:public|private|protected)\s+)?(?:<[^<>(]*>\s*)?NAME\s*\(`,
      tail: "signature",
      after: String.raw`\s*(?:\{|throws\b)`,
      within: javaTypes,
      scope: "function",
    },
    { kind: "enum constant", pattern: String.raw`(?:^|[{,])[ \t]*NAME\s*(?:[,;({}]|$)`, within: ["enum"] },
    { kind: "field", pattern: String.raw`^${javaType}NAME\s*(?:\[\s*\]\s*)*[=;,]`, within: javaTypes },
    { kind: "local variable", pattern: String.raw`^${javaType}NAME\s*(?:\[\s*\]\s*)*[=;,:]`, role: "local" },
  ],
  imports: [String.raw`^[ \t]*(?:import|package)\s[^;]*;`],
  reexports: [],
  calls: [String.raw`\s*(?:<[^;(){}]*>)?\s*\(`],
  callPrefixes: [String.raw`\bnew\s+`, "@"],
  statements: [...statements, "import", "package"],
  nameCharacters: "$",
  member: ".",
};
