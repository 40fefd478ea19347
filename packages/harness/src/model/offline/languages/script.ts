/** JavaScript and TypeScript, with JSX. */

import type { Language } from "../language.ts";
import { lineComment, blockComment, doubleQuoted, singleQuoted, statements } from "./shared.ts";

const scriptModifiers =
  "(?:(?:public|private|protected|static|async|override|abstract|readonly|declare|accessor|get|set)\\s+)*[*#]?\\s*";

const variable = "\\b(?:const|let|var|using)\\s+NAME\\b";

export const script: Language = {
  name: "JavaScript or TypeScript",
  extensions: ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"],
  quoted: [
    lineComment,
    blockComment,
    doubleQuoted,
    singleQuoted,
    { kind: "string", start: "`", end: "`", escapes: true, spansLines: true, interpolation: "\\$\\{" },
    {
      kind: "string",
      start:
        "(?<=(?:^|[(,=:[!&|?{;+\\-*%~^>]|\\b(?:return|typeof|case|in|of|void|yield|await))[ \\t]*)/(?![*/])(?:\\\\.|\\[(?:\\\\.|[^\\]\\\\\\n])*\\]|[^/\\\\[\\n])+/[a-z]*",
    },
  ],
  blocks: "braces",
  rules: [
    { kind: "function", pattern: "\\bfunction\\s*\\*?\\s*NAME\\b", tail: "signature", scope: "function" },
    { kind: "class", pattern: "\\bclass\\s+NAME\\b", tail: "block", scope: "type" },
    {
      kind: "interface",
      pattern: "^[ \\t]*(?:export\\s+|default\\s+|declare\\s+)*interface\\s+NAME\\b",
      tail: "block",
      scope: "type",
    },
    { kind: "enum", pattern: "\\benum\\s+NAME\\b", tail: "block", scope: "type" },
    {
      kind: "namespace",
      pattern: "^[ \\t]*(?:export\\s+|declare\\s+)*(?:namespace|module)\\s+NAME\\b",
      tail: "block",
      scope: "type",
    },
    {
      kind: "type",
      pattern: "^[ \\t]*(?:export\\s+|declare\\s+)*type\\s+NAME\\s*[<=]",
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
      pattern: `^[ \\t]*${scriptModifiers}NAME\\??\\s*[<(]`,
      tail: "signature",
      after: "\\s*[{:]",
      scope: "function",
    },
    {
      kind: "method",
      pattern: "^[ \\t]*(?:readonly\\s+)?NAME\\??\\s*[<(]",
      within: ["interface", "type"],
      role: "declaration",
    },
    {
      kind: "member",
      pattern: "(?:^|[{;,])[ \\t]*(?:readonly\\s+)?NAME\\??\\s*:",
      within: ["interface", "type"],
    },
    {
      kind: "field",
      pattern: `^[ \\t]*${scriptModifiers}NAME[?!]?\\s*(?:[:=;]|$)`,
      tail: "value",
      within: ["class"],
      scope: "other",
    },
    { kind: "enum member", pattern: "(?:^|[{,])[ \\t]*NAME\\s*(?:[,=}]|$)", within: ["enum"] },
    { kind: "export", pattern: "\\bexports\\.NAME\\s*=[^=>]", tail: "value", scope: "other" },
    {
      kind: "object member",
      pattern: "(?:^|[{,])[ \\t]*NAME\\s*:",
      tail: "entry",
      within: [
        "variable",
        "local variable",
        "function",
        "method",
        "file",
        "field",
        "export",
        "property",
        "object member",
      ],
      scope: "other",
      role: "assigned",
    },
    {
      kind: "variable",
      pattern: "\\b(?:const|let|var)\\s*[{[](?:[^=;{}]*[\\s,:])?NAME\\s*(?:[,=][^;{}]*)?[}\\]]\\s*=",
      role: "assigned",
    },
    { kind: "property", pattern: "[\\w$\\])]\\.#?NAME\\s*=[^=>]", tail: "value", scope: "other", role: "assigned" },
  ],
  imports: [
    "^[ \\t]*import\\b[^;(]*?\\bfrom\\b",
    "^[ \\t]*(?:export\\s+)?import\\s+\\w+\\s*=[^;\\n]*",
    "^[ \\t]*(?:const|let|var)\\s+[^;=()]*=\\s*(?:await\\s+import|require)\\s*\\([^)]*\\)",
  ],
  reexports: [
    "^[ \\t]*export\\s+(?:type\\s+)?\\{[^}]*\\}",
    "^[ \\t]*export\\s+(?:type\\s+)?\\*[^;\\n]*",
    "^[ \\t]*export\\s+(?:default|=)\\s+[\\w$.]+[ \\t]*;?[ \\t]*$",
  ],
  calls: ["\\s*(?:\\?\\.)?\\s*(?:<[^;(){}]*>)?\\s*\\(", "!\\s*\\("],
  callPrefixes: ["\\bnew\\s+", "@", "(?<![\\w$)\\]])<"],
  statements,
  nameCharacters: "$",
  member: ".",
};
