/** What stands within a line of Markdown, as text with its looks. */

import type { Token } from "@earendil-works/pi-tui";
import { span, type Look, type Row, type Span } from "../terminal/look.ts";

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** Rows, as a line can hold forced breaks. */
export function inlineRows(tokens: readonly Token[], look: Look = {}): Row[] {
  const rows: Span[][] = [[]];
  const add = (token: Token, look: Look): void => {
    if (token.type === "br") return void rows.push([]);
    const inner = lookOf(token, look);
    if (token.type !== "image" && "tokens" in token && token.tokens !== undefined && token.tokens.length > 0) {
      for (const each of token.tokens) add(each, inner);
    } else {
      for (const [index, line] of textOf(token).split("\n").entries()) {
        // Within a paragraph the end of a line is a space.
        if (index > 0) rows.at(-1)?.push(span(" ", look));
        if (line !== "") rows.at(-1)?.push(span(line, inner));
      }
    }
    const address = addressOf(token);
    if (address !== undefined) rows.at(-1)?.push(span(` (${address})`, { ...look, dim: true }));
  };
  for (const token of tokens) add(token, look);
  return rows;
}

function lookOf(token: Token, look: Look): Look {
  switch (token.type) {
    case "strong":
      return { ...look, bold: true };
    case "em":
      return { ...look, italic: true };
    case "del":
      return { ...look, strike: true };
    case "codespan":
      return { ...look, colour: "cyan" };
    case "link":
      return { ...look, underline: true };
    default:
      return look;
  }
}

function textOf(token: Token): string {
  if (token.type === "image") return `[image: ${String(token["text"])}]`;
  const text = "text" in token && typeof token.text === "string" ? token.text : token.raw;
  if (token.type !== "text") return text;
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => entities[name] ?? whole);
}

/** Where a link leads, unless that is what it says already: a name must not hide an address. */
function addressOf(token: Token): string | undefined {
  if (!("href" in token)) return undefined;
  const { href } = token;
  const text = "text" in token ? token.text : undefined;
  return typeof href !== "string" || href === text || href === `mailto:${String(text)}` ? undefined : href;
}
