/**
 * The page about a run: one file that needs no other and no network. Its script and its style are named by their
 * hashes, so nothing else in it can run; the data are blocks of base64, in which no markup can stand.
 */

import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import type { Block } from "./blocks.ts";
import script from "page:script";
import style from "page:style";
import { whole } from "./say.ts";
import type { Totals } from "./totals.ts";

const csp = [
  "default-src 'none'",
  `script-src '${hashOf(script)}'`,
  `style-src '${hashOf(style)}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** All that comes before the blocks. */
export function pageHead(): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${csp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>croft trace</title>
<style>${style}</style>
<noscript>This page shows a run of croft, and needs JavaScript for it. It reaches no network.</noscript>
<main id="page"><p id="loading" role="status">Reading the trace …</p></main>
`;
}

export function blockElement({ what, base64 }: Block): string {
  return `<script type="text/plain" data-${what}>${base64}</script>\n`;
}

/** All that comes after them. */
export function pageEnd(totals: Totals): string {
  const base64 = deflateRawSync(JSON.stringify(escaped(totals))).toString("base64");
  return `<script type="text/plain" data-totals>${base64}</script>\n<script>${script}</script>\n</html>\n`;
}

/** The same value, each text in it fit to be looked at. */
function escaped(value: unknown): unknown {
  if (typeof value === "string") return whole(value);
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [whole(name), escaped(each)]));
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
