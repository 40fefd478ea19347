/** Words of a trace made fit for a page: escaped as for a terminal, and no longer than a browser bears. */

import { escapeLine, escapeText } from "../ui/escape.ts";
import { plural } from "../ui/plural.ts";
import type { Part } from "./row.ts";

/** Characters of a line that is a title, and of a text. */
const lineMost = 200;
const textMost = 1_000_000;
/** Characters of a value that stands beside its name. */
const factMost = 300;

/** The first line. */
export function line(text: string): string {
  const [first = ""] = text
    .slice(0, lineMost * 4)
    .trimStart()
    .split("\n", 1);
  const isAll = first.length <= lineMost && first.length >= text.trim().length;
  return escapeLine(cut(first, lineMost)) + (isAll ? "" : " …");
}

/** No half of a surrogate pair stands at its end. */
function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}

/** All of it, unless it is enormous: then it says how much is missing. */
export function whole(text: string): string {
  const rest = text.length - textMost;
  if (rest <= 0) return escapeText(text);
  return `${escapeText(cut(text, textMost))}\n… (${plural(rest, "more character")} in the trace)`;
}

export function text(label: string, words: string, folded?: "folded"): Part {
  return { as: "text", label: line(label), text: whole(words), ...(folded && { folded: true }) };
}

export function markdown(words: string): Part {
  return { as: "markdown", text: whole(words) };
}

/** Kinds of images that a page draws. */
const drawn: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Characters of base64. */
const imageMost = 8_000_000;

export function image(mediaType: string, base64: string): Part {
  if (drawn.has(mediaType) && base64.length <= imageMost && /^[\w+/=\s]*$/.test(base64)) {
    return { as: "image", mediaType, base64 };
  }
  return text("image", `(an image of type ${mediaType}, ${base64.length} characters of base64, is not shown)`);
}

/** Those without a value are left out; none at all make no part. */
export function facts(...all: readonly (readonly [name: string, value: string | undefined])[]): Part[] {
  const told = all.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[line(name), whole(value)] as const],
  );
  return told.length === 0 ? [] : [{ as: "facts", facts: told }];
}

/** A value of JSON by its fields: short ones as facts, texts of several lines as they are. */
export function fields(value: unknown): Part[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return facts(["input", json(value)]);
  const entries = Object.entries(value).map(([name, each]) => [name, spelled(each)] as const);
  const isShort = ([, words]: readonly [string, string]): boolean => words.length <= factMost && !words.includes("\n");
  return [
    ...facts(...entries.filter(isShort)),
    ...entries.filter((entry) => !isShort(entry)).map(([name, words]) => text(name, words)),
  ];
}

export function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? "";
}

function spelled(value: unknown): string {
  if (typeof value === "string") return value;
  const compact = JSON.stringify(value) ?? "";
  return compact.length <= factMost ? compact : json(value);
}
