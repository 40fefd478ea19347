/** C and C++: one language here, for a header does not tell which it is. */

import type { Language, Rule } from "../language.ts";
import { lineComment, blockComment, doubleQuoted, statements } from "./shared.ts";

const cScopes = ["file", "namespace", "struct", "class"];
const cType = "^[ \\t]*[\\w:][\\w:<>,*&~\\[\\] \\t]*?[\\s*&]";
const cAfter =
  "\\s*(?:(?:const|volatile|noexcept|override|final|throw\\s*\\([^)]*\\)|__\\w+(?:\\s*\\([^;{}]*?\\)\\))?|[A-Z][A-Z0-9_]*(?:\\s*\\([^)]*\\))?|&&?)\\s*)*(?:\\{|;|->|:|=\\s*(?:0|default|delete)\\b)";

const cRules: Rule[] = [
  { kind: "macro", pattern: "^[ \\t]*#[ \\t]*define[ \\t]+NAME\\b", tail: "lines", scope: "function" },
  {
    kind: "struct",
    pattern: "\\b(?:struct|union)\\s+(?:__\\w+(?:\\s*\\(\\(.*?\\)\\))?\\s+|[A-Z][A-Z0-9_]*\\s+)?(?:\\w+::)*NAME\\b",
    tail: "body",
    scope: "type",
  },
  { kind: "struct", pattern: "\\b(?:struct|union)\\s*\\{", tail: "block", scope: "type" },
  { kind: "enum", pattern: "\\benum(?:\\s+(?:class|struct))?\\s+NAME\\b", tail: "body", scope: "type" },
  { kind: "enum", pattern: "\\benum\\s*\\{", tail: "block", scope: "type" },
  { kind: "class", pattern: "\\bclass\\s+(?:[A-Z][A-Z0-9_]*\\s+)?(?:\\w+::)*NAME\\b", tail: "body", scope: "type" },
  { kind: "namespace", pattern: "\\bnamespace\\s+(?:\\w+::)*NAME\\b", tail: "body", scope: "type" },
  { kind: "namespace", pattern: "\\b(?:namespace|extern)\\s*\\{", tail: "block", scope: "other" },
  {
    kind: "function",
    pattern: `${cType}(?:(?<owner>\\w+)(?:<[^<>]*>)?::)?~?NAME\\s*\\(`,
    tail: "signature",
    after: cAfter,
    within: cScopes,
    scope: "function",
  },
  {
    kind: "function",
    pattern: "^(?:(?<owner>\\w+)(?:<[^<>]*>)?::)?~?NAME\\s*\\(",
    tail: "signature",
    after: "\\s*(?:(?:const|noexcept|override)\\s*)*[{:]",
    within: cScopes,
    scope: "function",
  },
  {
    kind: "constructor",
    pattern: "^[ \\t]+(?:(?:explicit|inline|constexpr|virtual)\\s+)*~?NAME\\s*\\(",
    tail: "signature",
    after: "\\s*(?:noexcept\\s*|override\\s*)*(?:\\{|:|;|=)",
    within: ["class", "struct"],
    scope: "function",
  },
  { kind: "type alias", pattern: "^[ \\t]*using\\s+NAME\\s*=" },
  { kind: "typedef", pattern: "^[ \\t]*typedef\\b[^;{}]*\\(\\s*\\*\\s*NAME\\s*\\)" },
  { kind: "typedef", pattern: "^[ \\t]*typedef\\b[^;{}]*\\bNAME\\s*(?:\\[[^\\]]*\\]\\s*|\\([^;{}]*\\)\\s*)*;" },
  { kind: "typedef", pattern: "^[ \\t]*\\}[^;{}()=]*\\bNAME\\s*(?:,[^;{}]*)?;", within: cScopes },
  { kind: "enumerator", pattern: "(?:^|[{,])\\s*NAME\\s*(?:[,=}]|$)", within: ["enum"] },
  { kind: "variable", pattern: "^[ \\t]*extern\\b[^;{}()=]*\\bNAME\\s*(?:\\[[^\\]]*\\]\\s*)*;", role: "declaration" },
  {
    kind: "member",
    pattern: `${cType}NAME\\s*(?:\\[[^\\]]*\\]\\s*)*(?::\\s*\\w+\\s*)?[;,={]`,
    within: ["struct", "class"],
  },
  { kind: "function pointer", pattern: "\\(\\s*\\*\\s*NAME\\s*\\)\\s*\\(", within: cScopes },
  {
    kind: "variable",
    pattern: `${cType}NAME\\s*(?:\\[[^\\]]*\\]\\s*)*[;,={]`,
    within: ["file", "namespace"],
  },
  {
    kind: "local variable",
    pattern: `${cType}NAME\\s*(?:\\[[^\\]]*\\]\\s*)*[;,=]`,
    within: ["function", "constructor"],
    role: "local",
  },
];

export const c: Language = {
  name: "C or C++",
  extensions: ["c", "h", "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "inl", "ipp", "cu", "ino"],
  quoted: [
    lineComment,
    blockComment,
    { kind: "string", start: '\\b(?:u8|[uUL])?R"([^()\\s]*)\\(', end: '\\)$1"', spansLines: true },
    { kind: "string", start: "(?<=#[ \\t]*include[ \\t]*)<[^>\\n]*>" },
    doubleQuoted,
    { kind: "string", start: "(?<![0-9a-fA-F])'(?:\\\\[^\\n]+?|[^'\\\\\\n]+)'" },
  ],
  blocks: "braces",
  rules: cRules,
  imports: ["^[ \\t]*using\\s+[\\w:]*::\\w+\\s*;"],
  reexports: [],
  calls: ["\\s*(?:<[^;(){}]*>)?\\s*\\("],
  callPrefixes: ["\\bnew\\s+"],
  statements: [...statements, "using", "typedef", "namespace", "defined"],
  nameCharacters: "",
  member: "::",
};
