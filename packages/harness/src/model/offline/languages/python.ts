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
        start: String.raw`(?<![\w])(?:[fFtT][rR]?|[rR][fFtT])${quote}`,
        end: quote,
        escapes: true,
        spansLines: true,
        interpolation: String.raw`(?<!\{)\{(?!\{)`,
      },
      { kind: "string", start: quote, end: quote, escapes: true, spansLines: true },
    ]),
    ...['"', "'"].flatMap((quote): Quoted[] => [
      {
        kind: "string",
        start: String.raw`(?<![\w])(?:[fFtT][rR]?|[rR][fFtT])${quote}`,
        end: quote,
        escapes: true,
        interpolation: String.raw`(?<!\{)\{(?!\{)`,
      },
      { kind: "string", start: quote, end: quote, escapes: true },
    ]),
  ],
  blocks: "indent",
  rules: [
    {
      kind: "method",
      pattern: String.raw`^[ \t]*(?:async\s+)?def\s+NAME\b`,
      tail: "signature",
      within: ["class"],
      scope: "function",
    },
    { kind: "function", pattern: String.raw`^[ \t]*(?:async\s+)?def\s+NAME\b`, tail: "signature", scope: "function" },
    { kind: "class", pattern: String.raw`^[ \t]*class\s+NAME\b`, tail: "block", scope: "type" },
    { kind: "type", pattern: String.raw`^[ \t]*type\s+NAME\b[^=\n]*=` },
    {
      kind: "variable",
      pattern: String.raw`^[ \t]*(?:\w+\s*=\s*)*NAME\s*(?::[^=\n]+)?=[^=]`,
      within: ["file", "class"],
    },
    { kind: "field", pattern: String.raw`^[ \t]+NAME\s*:[^=\n]+`, within: ["class"] },
    {
      kind: "local variable",
      pattern: String.raw`^[ \t]*NAME\s*(?::[^=\n]+)?=[^=]`,
      within: ["function", "method"],
      role: "local",
    },
    { kind: "attribute", pattern: String.raw`\b(?:self|cls)\.NAME\s*(?::[^=\n]+)?=[^=]`, role: "assigned" },
  ],
  imports: [String.raw`^[ \t]*(?:from\s+[\w.]+\s+)?import\s+(?:\([^)]*\)|(?:[^\n\\]|\\\n)*)`],
  reexports: [],
  calls: [String.raw`\s*\(`],
  callPrefixes: [String.raw`^[ \t]*@(?:\w+\.)*`],
  statements: [...statements, "lambda", "not", "and", "or"],
  nameCharacters: "",
  member: ".",
};
