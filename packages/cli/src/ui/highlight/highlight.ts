/** Code as lines with colours of the terminal's own palette. */

import hljs from "highlight.js/lib/core";
import { rowsOf, span, type Look, type Row, type Span } from "../terminal/look.ts";
import { aliases, languages } from "./languages.ts";

/** Characters of code beyond which it stays plain. */
const codeMost = 50_000;

/** By the first part of a scope's name. */
const looks: Readonly<Record<string, Look>> = {
  keyword: { colour: "magenta" },
  literal: { colour: "magenta" },
  built_in: { colour: "cyan" },
  type: { colour: "cyan" },
  title: { colour: "blue" },
  section: { colour: "blue", bold: true },
  name: { colour: "blue" },
  attr: { colour: "cyan" },
  attribute: { colour: "cyan" },
  string: { colour: "green" },
  regexp: { colour: "green" },
  symbol: { colour: "green" },
  number: { colour: "yellow" },
  meta: { colour: "yellow" },
  comment: { dim: true },
  quote: { dim: true },
  addition: { colour: "green" },
  deletion: { colour: "red" },
  strong: { bold: true },
  emphasis: { italic: true },
};

/** One row a line. `language`: a name or the ending of a file; an unknown one leaves the code plain. */
export type Highlight = (code: string, language: string) => Row[];

/** Grammars are built when they are first needed, and kept as long as what this gives back. */
export function openHighlighter(): Highlight {
  let engine: ReturnType<typeof hljs.newInstance> | undefined;
  return (code, language) => {
    if (language === "" || code.length > codeMost) return rowsOf(code);
    engine ??= withLanguages(hljs.newInstance());
    const wanted = language.toLowerCase();
    const name = aliases[wanted] ?? wanted;
    if (engine.getLanguage(name) === undefined) return rowsOf(code);
    try {
      return rowsOfHtml(engine.highlight(code, { language: name, ignoreIllegals: true }).value);
    } catch {
      return rowsOf(code); // a grammar that gives up is no reason to show nothing
    }
  };
}

function withLanguages(engine: ReturnType<typeof hljs.newInstance>): typeof engine {
  for (const [name, grammar] of Object.entries(languages)) engine.registerLanguage(name, grammar);
  return engine;
}

/** The engine writes HTML: spans with a class, text with entities, and nothing else. */
function rowsOfHtml(html: string): Row[] {
  const rows: Span[][] = [[]];
  const stack: Look[] = [];
  for (const part of html.match(/<[^>]*>|[^<]+/g) ?? []) {
    if (part === "</span>") stack.pop();
    else if (part.startsWith("<")) stack.push({ ...stack.at(-1), ...lookOf(part) });
    else {
      for (const [index, line] of plain(part).split("\n").entries()) {
        if (index > 0) rows.push([]);
        if (line !== "") rows.at(-1)?.push(span(line, stack.at(-1) ?? {}));
      }
    }
  }
  return rows;
}

function lookOf(tag: string): Look {
  const scope = /hljs-([a-z_]+)/.exec(tag)?.[1] ?? "";
  return looks[scope] ?? {};
}

function plain(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
}
