/** What a diff of lines does not show: line ends, BOM and encoding. */

import type { LineHunk } from "../change.ts";
import type { Encoding } from "./text.ts";

export type Decoded = { readonly text: string; readonly encoding: Encoding };

const encodings: Readonly<Record<Encoding, string>> = {
  "utf-8": "UTF-8",
  "utf-8-bom": "UTF-8 with BOM",
  "utf-16le": "UTF-16LE with BOM",
  "utf-16be": "UTF-16BE with BOM",
  bytes: String.raw`not UTF-8, other bytes shown as \xNN`,
};

/**
 * `null`: no file. Of a new file only what is unusual is said: anything but UTF-8 and LF. `hunks`: the lines that differ
 * by more than their ends.
 */
export function noticesOf(before: Decoded | null, after: Decoded | null, hunks: readonly LineHunk[]): string[] {
  if (before === null || after === null) return aboutOne(before ?? after);
  const notices: string[] = [];
  if (before.encoding !== after.encoding) {
    notices.push(`encoding: ${encodings[before.encoding]} -> ${encodings[after.encoding]}`);
  }
  const [old, young] = [endingsOf(before.text), endingsOf(after.text)];
  const isUsual = young === "none" || (old === "none" && young === "LF");
  if (old !== young && !isUsual) notices.push(`line endings: ${old} -> ${young}`);
  // With all counts alike, some lines may still have changed places.
  if (old === young && before.text !== after.text && changesEnds(before.text, after.text, hunks)) {
    notices.push("line endings changed on some lines");
  }
  return notices;
}

function aboutOne(file: Decoded | null): string[] {
  if (file === null) return [];
  const endings = endingsOf(file.text);
  return [
    ...(file.text === "" ? ["an empty file"] : []),
    ...(file.encoding === "utf-8" ? [] : [`encoding: ${encodings[file.encoding]}`]),
    ...(endings === "LF" || endings === "none" ? [] : [`line endings: ${endings}`]),
  ];
}

function endingsOf(text: string): string {
  const all = text.split("\n").length - 1;
  const crlf = text.split("\r\n").length - 1;
  if (all === 0) return "none";
  if (crlf === 0) return "LF";
  return crlf === all ? "CRLF" : `mixed (${crlf} CRLF, ${all - crlf} LF)`;
}

/** Whether a line that stays ends otherwise than it did. */
function changesEnds(before: string, after: string, hunks: readonly LineHunk[]): boolean {
  if (!before.includes("\r\n") || !after.includes("\r\n")) return false;
  const old = before.split("\n");
  const young = after.split("\n");
  const differs = (from: number, to: number, count: number): boolean =>
    old.slice(from, from + count).some((line, at) => line.endsWith("\r") !== young[to + at]?.endsWith("\r"));
  let [from, to] = [0, 0];
  for (const hunk of hunks) {
    if (differs(from, to, hunk.from - 1 - from)) return true;
    [from, to] = [hunk.from - 1 + hunk.removed, hunk.to - 1 + hunk.added];
  }
  return differs(from, to, old.length - from);
}
