/** JavaScript and TypeScript, with JSX. */

import type { Language } from "../language.ts";
import { lineComment, blockComment, doubleQuoted, singleQuoted, statements } from "./shared.ts";

const scriptModifiers = String.raw`(?:(?:public|private|protected|static|async|override|abstract|readonly|declare|accessor|get|set)[ \t]+)*(?:[*#][ \t]*)?`;

const variable = String.raw`\b(?:const|let|var|using)\s+NAME\b`;

export const script: Language = {
  name: "JavaScript or TypeScript",
  extensions: ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"],
  quoted: [
    lineComment,
    blockComment,
    doubleQuoted,
    singleQuoted,
    { kind: "string", start: "`", end: "`", escapes: true, spansLines: true, interpolation: String.raw`\$\{` },
    {
      kind: "string",
      start: String.raw`(?<=(?:^|[(,=:[!&|?{;+\-*%~^>]|\b(?:return|typeof|case|in|of|void|yield|await))[ \t]*)/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+/[a-z]*`,
    },
  ],
  blocks: "braces",
  rules: [
    { kind: "function", pattern: String.raw`\bfunction\s*\*?\s*NAME\b`, tail: "signature", scope: "function" },
    { kind: "class", pattern: String.raw`\bclass\s+NAME\b`, tail: "block", scope: "type" },
    {
      kind: "interface",
      pattern: String.raw`^[ \t]*(?:export\s+|default\s+|declare\s+)*interface\s+NAME\b`,
      tail: "block",
      scope: "type",
    },
    { kind: "enum", pattern: String.raw`\benum\s+NAME\b`, tail: "block", scope: "type" },
    {
      kind: "namespace",
      pattern: String.raw`^[ \t]*(?:export\s+|declare\s+)*(?:namespace|module)\s+NAME\b`,
      tail: "block",
      scope: "type",
    },
    {
      kind: "type",
      pattern: String.raw`^[ \t]*(?:export\s+|declare\s+)*type\s+NAME\s*[<=]`,
      tail: "value",
      scope: "type",
    },
    {
      kind: "local variable",
      pattern: variable,
      tail: "value",
      within: ["function", "method"],
      scope: "other",
      role: "local",
    },
    { kind: "variable", pattern: variable, tail: "value", scope: "other" },
    {
      kind: "method",
      pattern: String.raw`^[ \t]*${scriptModifiers}NAME\??\s*[<(]`,
      tail: "signature",
      after: String.raw`\s*[{:]`,
      scope: "function",
    },
    {
      kind: "method",
      pattern: String.raw`(?:^|[{;,])[ \t]*(?:readonly\s+)?NAME\??\s*[<(]`,
      within: ["interface", "type"],
      role: "declaration",
    },
    {
      kind: "member",
      pattern: String.raw`(?:^|[{;,])[ \t]*(?:readonly\s+)?NAME\??\s*:`,
      within: ["interface", "type"],
    },
    {
      kind: "field",
      pattern: String.raw`^[ \t]*${scriptModifiers}NAME[?!]?\s*(?:[:=;]|$)`,
      tail: "value",
      within: ["class"],
      scope: "other",
    },
    { kind: "enum member", pattern: String.raw`(?:^|[{,])[ \t]*NAME\s*(?:[,=}]|$)`, within: ["enum"] },
    { kind: "export", pattern: String.raw`\bexports\.NAME\s*=[^=>]`, tail: "value", scope: "other" },
    {
      kind: "object member",
      pattern: String.raw`(?:^|[{,])[ \t]*NAME\s*:`,
      tail: "entry",
      within: [
        "variable",
        "local variable",
        "function",
        "method",
        "file",
        "field",
        "export",
        "attribute",
        "property",
        "object member",
      ],
      scope: "other",
      role: "entry",
    },
    {
      kind: "variable",
      pattern: String.raw`\b(?:const|let|var)\s*[{[](?:[^=;{}]*[\s,:])?NAME\s*(?:[,=][^;{}]*)?[}\]]\s*=`,
      role: "assigned",
    },
    {
      kind: "attribute",
      pattern: String.raw`\bthis\.#?NAME\s*=[^=>]`,
      tail: "value",
      scope: "other",
      role: "assigned",
    },
    {
      kind: "property",
      pattern: String.raw`[\w$\])]\.#?NAME\s*=[^=>]`,
      tail: "value",
      scope: "other",
      role: "entry",
    },
  ],
  imports: [
    String.raw`^[ \t]*import\b[^;(]*?\bfrom\b[ \t]*`,
    String.raw`^[ \t]*import[ \t]+;?[ \t]*$`,
    String.raw`^[ \t]*(?:export\s+)?import\s+\w+\s*=[^;\n]*`,
    String.raw`^[ \t]*(?:const|let|var)\s+[^;=()]*=\s*(?:await\s+import|require)\s*\([^)]*\)`,
  ],
  reexports: [
    String.raw`^[ \t]*export\s+(?:type\s+)?\{[^}]*\}(?:\s*from\b[ \t]*)?`,
    String.raw`^[ \t]*export\s+(?:type\s+)?\*[^;\n]*`,
    String.raw`^[ \t]*export\s+(?:default|=)\s+[\w$.]+[ \t]*;?[ \t]*$`,
  ],
  calls: [String.raw`\s*(?:\?\.)?\s*(?:<[^;(){}]*>)?\s*\(`, String.raw`!\s*\(`],
  callPrefixes: [String.raw`\bnew\s+`, "@", String.raw`(?<![\w$)\]])<`],
  statements,
  nameCharacters: "$",
  member: ".",
};
