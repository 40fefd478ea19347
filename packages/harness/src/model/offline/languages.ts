/** The languages the offline model reads: one table. `language.ts` says what the columns mean. */

import type { Language, Quoted, Rule } from "./language.ts";

const lineComment: Quoted = { kind: "comment", start: "//.*" };
const blockComment: Quoted = {
  kind: "comment",
  start: "/\\*",
  end: "\\*/",
  spansLines: true,
  goesOn: "\\*(?:\\s|/|$)",
};
const doubleQuoted: Quoted = { kind: "string", start: '"', end: '"', escapes: true };
const singleQuoted: Quoted = { kind: "string", start: "'", end: "'", escapes: true };
const character: Quoted = { kind: "string", start: "'(?:\\\\[^\\n]+?|[^'\\\\\\n])'" };

const statements =
  "return new throw else case goto delete await yield typeof in of instanceof sizeof if while for switch do catch assert with function co_return co_await".split(
    " ",
  );

const scriptModifiers =
  "(?:(?:public|private|protected|static|async|override|abstract|readonly|declare|accessor|get|set)\\s+)*[*#]?\\s*";

const script: Language = {
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
    { kind: "variable", pattern: "\\b(?:const|let|var|using)\\s+NAME\\b", tail: "value", scope: "other" },
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
      within: ["variable", "function", "method", "file", "field", "export", "property", "object member"],
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

const python: Language = {
  name: "Python",
  extensions: ["py", "pyi", "pyx", "pyw"],
  quoted: [
    { kind: "comment", start: "#.*" },
    ...['"""', "'''"].flatMap((quote): Quoted[] => [
      {
        kind: "string",
        start: `(?<![\\w])(?:[fFtT][rR]?|[rR][fFtT])${quote}`,
        end: quote,
        escapes: true,
        spansLines: true,
        interpolation: "(?<!\\{)\\{(?!\\{)",
      },
      { kind: "string", start: quote, end: quote, escapes: true, spansLines: true },
    ]),
    ...['"', "'"].flatMap((quote): Quoted[] => [
      {
        kind: "string",
        start: `(?<![\\w])(?:[fFtT][rR]?|[rR][fFtT])${quote}`,
        end: quote,
        escapes: true,
        interpolation: "(?<!\\{)\\{(?!\\{)",
      },
      { kind: "string", start: quote, end: quote, escapes: true },
    ]),
  ],
  blocks: "indent",
  rules: [
    {
      kind: "method",
      pattern: "^[ \\t]*(?:async\\s+)?def\\s+NAME\\b",
      tail: "signature",
      within: ["class"],
      scope: "function",
    },
    { kind: "function", pattern: "^[ \\t]*(?:async\\s+)?def\\s+NAME\\b", tail: "signature", scope: "function" },
    { kind: "class", pattern: "^[ \\t]*class\\s+NAME\\b", tail: "block", scope: "type" },
    { kind: "type", pattern: "^[ \\t]*type\\s+NAME\\b[^=\\n]*=" },
    {
      kind: "variable",
      pattern: "^[ \\t]*(?:\\w+\\s*=\\s*)*NAME\\s*(?::[^=\\n]+)?=[^=]",
      within: ["file", "class"],
    },
    { kind: "field", pattern: "^[ \\t]+NAME\\s*:[^=\\n]+", within: ["class"] },
    {
      kind: "local variable",
      pattern: "^[ \\t]*NAME\\s*(?::[^=\\n]+)?=[^=]",
      within: ["function", "method"],
      role: "local",
    },
    { kind: "attribute", pattern: "\\b(?:self|cls)\\.NAME\\s*(?::[^=\\n]+)?=[^=]", role: "assigned" },
  ],
  imports: ["^[ \\t]*(?:from\\s+[\\w.]+\\s+)?import\\s+(?:\\([^)]*\\)|(?:[^\\n\\\\]|\\\\\\n)*)"],
  reexports: [],
  calls: ["\\s*\\("],
  callPrefixes: ["^[ \\t]*@(?:\\w+\\.)*"],
  statements: [...statements, "lambda", "not", "and", "or"],
  nameCharacters: "",
  member: ".",
};

const go: Language = {
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
    { kind: "function", pattern: "^func\\s+NAME\\b", tail: "signature", scope: "function" },
    {
      kind: "method",
      pattern: "^func\\s*\\((?:\\s*\\w+\\s+)?\\s*\\*?(?<owner>\\w+)(?:\\[[^\\]]*\\])?\\s*\\)\\s*NAME\\b",
      tail: "signature",
      scope: "function",
    },
    {
      kind: "struct",
      pattern: "^[ \\t]*(?:type\\s+)?NAME(?:\\[[^\\]]*\\])?\\s+struct\\b",
      tail: "block",
      within: ["file", "group", "function", "method"],
      scope: "type",
    },
    {
      kind: "interface",
      pattern: "^[ \\t]*(?:type\\s+)?NAME(?:\\[[^\\]]*\\])?\\s+interface\\b",
      tail: "block",
      within: ["file", "group", "function", "method"],
      scope: "type",
    },
    { kind: "type", pattern: "^[ \\t]*type\\s+NAME\\b" },
    { kind: "group", pattern: "^[ \\t]*(?:const|var|type|import)\\s*\\(", scope: "other" },
    { kind: "variable", pattern: "^[ \\t]*(?:const|var)\\s+(?:\\w+\\s*,\\s*)*NAME\\b" },
    {
      kind: "variable",
      pattern: "^[ \\t]*(?:\\w+\\s*,\\s*)*NAME\\b(?:\\s*,\\s*\\w+)*(?:[ \\t]+[\\w.*\\[\\]]+)*[ \\t]*(?:=|$)",
      within: ["group"],
    },
    {
      kind: "field",
      pattern: "^[ \\t]*(?:\\w+\\s*,\\s*)*NAME\\b(?:\\s*,\\s*\\w+)*[ \\t]+[\\w*\\[(<]",
      within: ["struct"],
    },
    { kind: "method", pattern: "^[ \\t]*NAME\\s*\\(", within: ["interface"], role: "declaration" },
    {
      kind: "local variable",
      pattern: "\\bNAME\\s*(?:,\\s*\\w+\\s*)*:=",
      within: ["function", "method"],
      role: "local",
    },
  ],
  imports: ["^import\\s*\\([^)]*\\)", "^import\\s[^\\n]*"],
  reexports: [],
  calls: ["\\s*(?:\\[[^\\]\\n]*\\])?\\("],
  callPrefixes: [],
  statements: [...statements, "func", "range", "go", "defer", "select"],
  nameCharacters: "",
  member: ".",
};

const rust: Language = {
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

const javaType = "[ \\t]*[\\w@][\\w.<>,?&@\\[\\] \\t]*[\\w>\\]][ \\t]+";
const javaTypes = ["class", "interface", "enum", "record"];

const java: Language = {
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

const c: Language = {
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

export const languages: readonly Language[] = [script, python, go, rust, java, c];
