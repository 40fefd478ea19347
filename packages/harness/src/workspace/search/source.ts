/** A file from which the lines of a search are read: held as a whole, or looked up in pieces where they are large. */

import { hash } from "node:crypto";
import { Failure } from "../../error.ts";
import { maxFileBytes } from "../place/content.ts";
import { countedExcerpt, excerptOf, sameColumn, shownExcerpt, type Excerpt } from "./excerpt.ts";
import type { Fence, Hash, Pinned } from "../fence.ts";
import type { Proposal, ShowLines } from "../search.ts";
import { examineLarge } from "../text/large.ts";
import { binary, decode, linesOf } from "../text/text.ts";

export type Source = {
  path: string;
  hash: Hash;
  /** Undefined where the file no longer has such a line. */
  excerpt(proposal: Proposal, context: number, signal: AbortSignal): Excerpt | undefined | Promise<Excerpt | undefined>;
};

/**
 * Throws E_BINARY, what the fence throws, and E_TOO_LARGE for large UTF-16, in which ripgrep tells no offsets. `shown`
 * is given the whole text; of a large file each excerpt alone.
 */
export async function openSource(fence: Fence, file: Pinned, shown?: ShowLines): Promise<Source> {
  if (file.size <= maxFileBytes) return heldSource(fence, file, shown);
  const source = await largeSource(fence, file);
  if (shown === undefined) return source;
  return {
    ...source,
    async excerpt(proposal, context, signal) {
      const excerpt = await source.excerpt(proposal, context, signal);
      return excerpt && shownExcerpt(excerpt, (text) => shown(text, file.path));
    },
  };
}

function heldSource(fence: Fence, file: Pinned, shown: ShowLines = (text) => text): Source {
  const bytes = fence.content(file, maxFileBytes);
  const decoded = decode(bytes);
  if (decoded === undefined) throw binary(file.path);
  const lines = linesOf(decoded.text);
  const text = shown(decoded.text, file.path);
  const shownLines = text === decoded.text ? lines : linesOf(text);
  return {
    path: file.path,
    hash: hash("sha256", bytes),
    excerpt({ line, column }, context) {
      const found = lines[line - 1];
      const instead = shownLines[line - 1];
      return found === undefined || instead === undefined
        ? undefined
        : {
            before: shownLines.slice(Math.max(0, line - 1 - context), line - 1),
            line: instead,
            after: shownLines.slice(line, line + context),
            column: sameColumn(found, instead, Buffer.from(found).toString("utf8", 0, column).length),
          };
    },
  };
}

async function largeSource(fence: Fence, file: Pinned): Promise<Source> {
  const { encoding, ...version } = await examineLarge(fence, file);
  if (encoding.startsWith("utf-16")) {
    throw new Failure("E_TOO_LARGE", `${file.path} is UTF-16 and larger than ${maxFileBytes} bytes.`);
  }
  const bom = encoding === "utf-8-bom" ? 3 : 0;
  return {
    path: file.path,
    ...version,
    excerpt: ({ line, column, offset }, context, signal) =>
      offset === undefined
        ? countedExcerpt(fence, file, { line, column }, context, signal)
        : excerptOf(fence, file, { offset: offset + bom, column }, context),
  };
}
