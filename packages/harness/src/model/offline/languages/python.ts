/** Python. */

import type { Language, Quoted } from "../language.ts";
import { statements } from "./shared.ts";

export const python: Language = {
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
