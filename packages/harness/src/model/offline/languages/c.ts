/** C and C++: one language here, for a header does not tell which it is. */

import type { Language, Rule } from "../language.ts";
import { lineComment, blockComment, doubleQuoted, statements } from "./shared.ts";

const cScopes = ["file", "namespace", "struct", "class"];
const typeWords = String.raw`[ \t]*[\w:][\w:<>,*&~\[\] \t]*?[\s*&]`;
const cType = `^${typeWords}`;
const memberType = `(?:^|[;{])${typeWords}`;
const cAfter = String.raw`\s*(?:(?:const|volatile|noexcept|override|final|throw\s*\([^)]*\)|__\w+(?:\s*\([^;{}]*?\)\))?|[A-Z][A-Z0-9_]*(?:\s*\([^)]*\))?|&&?)\s*)*(?:\{|;|->|:|=\s*(?:0|default|delete)\b)`;

const cRules: Rule[] = [
  { kind: "macro", pattern: String.raw`^[ \t]*#[ \t]*define[ \t]+NAME\b`, tail: "lines", scope: "function" },
  {
    kind: "struct",
    pattern: String.raw`\b(?:struct|union)\s+(?:__\w+(?:\s*\(\(.*?\)\))?\s+|[A-Z][A-Z0-9_]*\s+)?(?:\w+::)*NAME\b`,
    tail: "body",
    scope: "type",
  },
  { kind: "struct", pattern: String.raw`\b(?:struct|union)\s*\{`, tail: "block", scope: "type" },
  { kind: "enum", pattern: String.raw`\benum(?:\s+(?:class|struct))?\s+NAME\b`, tail: "body", scope: "type" },
  { kind: "enum", pattern: String.raw`\benum\s*\{`, tail: "block", scope: "type" },
  {
    kind: "class",
    pattern: String.raw`\bclass\s+(?:[A-Z][A-Z0-9_]*\s+)?(?:\w+::)*NAME\b`,
    tail: "body",
    scope: "type",
  },
  { kind: "namespace", pattern: String.raw`\bnamespace\s+(?:\w+::)*NAME\b`, tail: "body", scope: "type" },
  { kind: "namespace", pattern: String.raw`\b(?:namespace|extern)\s*\{`, tail: "block", scope: "other" },
  {
    kind: "function",
    pattern: String.raw`${cType}(?:(?:[\w<>:]*::)?(?<owner>\w+)(?:<[^<>]*>)?::)?~?NAME\s*\(`,
    tail: "signature",
    after: cAfter,
    within: cScopes,
    scope: "function",
  },
  {
    kind: "function",
    pattern: String.raw`^(?:(?<owner>\w+)(?:<[^<>]*>)?::)?~?NAME\s*\(`,
    tail: "signature",
    after: String.raw`\s*(?:(?:const|noexcept|override)\s*)*[{:]`,
    within: cScopes,
    scope: "function",
  },
  {
    kind: "constructor",
    pattern: String.raw`^[ \t]+(?:(?:explicit|inline|constexpr|virtual)\s+)*~?NAME\s*\(`,
    tail: "signature",
    after: String.raw`\s*(?:noexcept\s*|override\s*)*(?:\{|:|;|=)`,
    within: ["class", "struct"],
    scope: "function",
  },
  { kind: "type alias", pattern: String.raw`^[ \t]*using\s+NAME\s*=` },
  { kind: "typedef", pattern: String.raw`^[ \t]*typedef\b[^;{}]*\(\s*\*\s*NAME\s*\)` },
  { kind: "typedef", pattern: String.raw`^[ \t]*typedef\b[^;{}]*\bNAME\s*(?:\[[^\]]*\]\s*|\([^;{}]*\)\s*)*;` },
  { kind: "typedef", pattern: String.raw`\}[^;{}()=]*\bNAME\s*(?:,[^;{}]*)?;`, within: cScopes },
  { kind: "enumerator", pattern: String.raw`(?:^|[{,])\s*NAME\s*(?:[,=}]|$)`, within: ["enum"] },
  { kind: "variable", pattern: String.raw`^[ \t]*extern\b[^;{}()=]*\bNAME\s*(?:\[[^\]]*\]\s*)*;`, role: "declaration" },
  {
    kind: "member",
    pattern: String.raw`${memberType}NAME\s*(?:\[[^\]]*\]\s*)*(?::\s*\w+\s*)?[;,=]`,
    within: ["struct", "class"],
  },
  { kind: "function pointer", pattern: String.raw`\(\s*\*\s*NAME\s*\)\s*\(`, within: cScopes },
  {
    kind: "variable",
    pattern: String.raw`${cType}NAME\s*(?:\[[^\]]*\]\s*)*[;,={]`,
    within: ["file", "namespace"],
  },
  {
    kind: "local variable",
    pattern: String.raw`${cType}NAME\s*(?:\[[^\]]*\]\s*)*(?::\s*\d+\s*)?[;,=]`,
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
    { kind: "string", start: String.raw`\b(?:u8|[uUL])?R"([^()\s]*)\(`, end: String.raw`\)$1"`, spansLines: true },
    { kind: "string", start: String.raw`(?<=#[ \t]*include[ \t]*)<[^>\n]*>` },
    doubleQuoted,
    { kind: "string", start: String.raw`(?<![0-9a-fA-F])'(?:\\[^\n]+?|[^'\\\n]+)'` },
  ],
  blocks: "braces",
  rules: cRules,
  imports: [String.raw`^[ \t]*using\s+[\w:]*::\w+\s*;`],
  reexports: [],
  calls: [String.raw`\s*(?:<[^;(){}]*>)?\s*\(`],
  callPrefixes: [String.raw`\bnew\s+`],
  statements: [...statements, "using", "typedef", "namespace", "defined"],
  nameCharacters: "",
  member: "::",
};
