/** Go. */

import type { Language } from "../language.ts";
import { lineComment, blockComment, doubleQuoted, character, statements } from "./shared.ts";

export const go: Language = {
  name: "Go",
  extensions: ["go"],
  quoted: [
    lineComment,
    blockComment,
    doubleQuoted,
    { kind: "string", start: "`", end: "`", spansLines: true },
    character,
  ],
  blocks: "braces",
  rules: [
    { kind: "function", pattern: String.raw`^func\s+NAME\b`, tail: "signature", scope: "function" },
    {
      kind: "method",
      pattern: String.raw`^func\s*\((?:\s*\w+\s+)?\s*\*?(?<owner>\w+)(?:\[[^\]]*\])?\s*\)\s*NAME\b`,
      tail: "signature",
      scope: "function",
    },
    {
      kind: "struct",
      pattern: String.raw`^[ \t]*(?:type\s+)?NAME(?:\[[^\]]*\])?\s+struct\b`,
      tail: "block",
      within: ["file", "group", "function", "method"],
      scope: "type",
    },
    {
      kind: "interface",
      pattern: String.raw`^[ \t]*(?:type\s+)?NAME(?:\[[^\]]*\])?\s+interface\b`,
      tail: "block",
      within: ["file", "group", "function", "method"],
      scope: "type",
    },
    { kind: "type", pattern: String.raw`^[ \t]*type\s+NAME\b` },
    { kind: "group", pattern: String.raw`^[ \t]*(?:const|var|type|import)\s*\(`, scope: "other" },
    { kind: "variable", pattern: String.raw`^[ \t]*(?:const|var)\s+(?:\w+[ \t]*,[ \t]*){0,8}NAME\b` },
    {
      kind: "variable",
      pattern: String.raw`^[ \t]*(?:\w+[ \t]*,[ \t]*){0,8}NAME\b(?:[ \t]*,[ \t]*\w+){0,8}(?:[ \t]+[\w.*\[\]]+)*[ \t]*(?:=|$)`,
      within: ["group"],
    },
    {
      kind: "field",
      pattern: String.raw`^[ \t]*(?:\w+[ \t]*,[ \t]*){0,8}NAME\b(?:[ \t]*,[ \t]*\w+){0,8}[ \t]+[\w*\[(<]`,
      within: ["struct"],
    },
    { kind: "method", pattern: String.raw`^[ \t]*NAME\s*\(`, within: ["interface"], role: "declaration" },
    {
      kind: "local variable",
      pattern: String.raw`\bNAME[ \t]*(?:,[ \t]*\w+[ \t]*){0,8}:=`,
      within: ["function", "method"],
      role: "local",
    },
  ],
  imports: [String.raw`^import\s*\([^)]*\)`, String.raw`^import\s[^\n]*`],
  reexports: [],
  calls: [String.raw`\s*(?:\[[^\]\n]*\])?\(`],
  callPrefixes: [],
  statements: [...statements, "func", "range", "go", "defer", "select"],
  nameCharacters: "",
  member: ".",
};
