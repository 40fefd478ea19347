/** A file from which the lines of a search are read: held as a whole, or looked up in pieces where they are large. */

import { hash } from "node:crypto";
import { maxFileBytes } from "../place/content.ts";
import { countedExcerpt, excerptOf, sameColumn, shownExcerpt, type Excerpt } from "./excerpt.ts";
import type { Fence, Hash, Pinned } from "../fence.ts";
import type { Proposal, ShowLines } from "../search.ts";
import { utf16AsUtf8, type Ranges } from "../text/as-utf8.ts";
import { examineLarge, rangeOf } from "../text/large.ts";
import { binary, decode, linesOf, type Encoding } from "../text/text.ts";

export type Source = {
  path: string;
  hash: Hash;
  /** Undefined where the file no longer has such a line. */
  excerpt(proposal: Proposal, context: number, signal: AbortSignal): Excerpt | undefined | Promise<Excerpt | undefined>;
};

/**
 * Throws E_BINARY, and what the fence throws. Of a large file each excerpt is shown alone.
 */
export async function openSource(fence: Fence, file: Pinned, shown?: ShowLines): Promise<Source> {
  if (file.size <= maxFileBytes) return heldSource(fence, file, shown);
  const source = await largeSource(fence, file);
  return shown === undefined ? source : shownAlone(source, shown);
}

function heldSource(fence: Fence, file: Pinned, shown: ShowLines | undefined): Source {
  const bytes = fence.content(file, maxFileBytes);
  const decoded = decode(bytes);
  if (decoded === undefined) throw binary(file.path);
  const lines = linesOf(decoded.text);
  const version = { path: file.path, hash: hash("sha256", bytes) };
  if (shown === undefined) return { ...version, excerpt: excerptsOf(lines, lines) };
  if (!shown.needsWhole(decoded.text)) return shownAlone({ ...version, excerpt: excerptsOf(lines, lines) }, shown);
  return { ...version, excerpt: excerptsOf(lines, linesOf(shown.instead(decoded.text, file.path))) };
}

function excerptsOf(lines: readonly string[], shown: readonly string[]): Source["excerpt"] {
  return ({ line, column }, context) => {
    const found = lines[line - 1];
    const instead = shown[line - 1];
    return found === undefined || instead === undefined
      ? undefined
      : {
          before: shown.slice(Math.max(0, line - 1 - context), line - 1),
          line: instead,
          after: shown.slice(line, line + context),
          column: sameColumn(found, instead, Buffer.from(found).toString("utf8", 0, column).length),
        };
  };
}

function shownAlone(source: Source, shown: ShowLines): Source {
  return {
    ...source,
    async excerpt(proposal, context, signal) {
      const excerpt = await source.excerpt(proposal, context, signal);
      return excerpt && shownExcerpt(excerpt, (text) => shown.instead(text, source.path));
    },
  };
}

async function largeSource(fence: Fence, file: Pinned): Promise<Source> {
  const { encoding, ...version } = await examineLarge(fence, file);
  const ranges = rangesOf(fence, file, encoding);
  return {
    path: file.path,
    ...version,
    excerpt: ({ line, column, offset }, context, signal) =>
      offset === undefined
        ? countedExcerpt(fence, file, { line, column }, context, signal)
        : excerptOf(ranges, { offset, column }, context, signal),
  };
}

/** By the offsets that a proposal has: a mark is not counted. */
function rangesOf(fence: Fence, file: Pinned, encoding: Encoding): Ranges {
  if (encoding === "utf-16le" || encoding === "utf-16be") return utf16AsUtf8(fence, file, encoding);
  const mark = encoding === "utf-8-bom" ? 3 : 0;
  return (start, end) => rangeOf(fence, file, start + mark, end + mark);
}
