/** Reads one memory file and what it imports. */

import { posix } from "node:path";
import { asFailure, Failure } from "../../error.ts";
import { maxFileBytes } from "../place/content.ts";
import type { Fence } from "../fence.ts";
import { importsIn } from "./imports.ts";
import { pathIn } from "../place/place.ts";
import { showPath } from "../text/show-path.ts";
import { binary, decode } from "../text/text.ts";

/** `path`: from the root, `../AGENTS.md` for one above it. */
export type MemoryFile = { path: string; text: string };
/** In the order they are to be read. `leftOut`: sentences for a person. */
export type FoundMemory = { files: readonly MemoryFile[]; leftOut: readonly string[] };

export type MemorySource = {
  fence: Fence;
  /** Where the root lies in the fence. */
  within: string;
  /** Which places of the fence may be read, as resolved. */
  covers: (path: string) => boolean;
  trusted: (owner: number | undefined) => boolean;
  /** Every text that was found; what is found again, under whatever name, is passed over. */
  known: Set<string>;
};

type Import = { by: string; depth: number; target: string };

const maxDepth = 4;
const maxFiles = 100;
/** Words of one file that are looked up: a file of nothing but @ must not hold up the start. */
const maxImports = 500;

/**
 * An import stands before the file that imports it, which may take something of it back. Absent: nothing. Never throws.
 */
export function readMemoryFile(path: string, source: MemorySource): FoundMemory {
  try {
    return readWithImports(path, source, 0);
  } catch (thrown) {
    const { code, message } = asFailure(thrown);
    return { files: [], leftOut: code === "E_NOT_FOUND" ? [] : [message] };
  }
}

function readWithImports(path: string, source: MemorySource, depth: number): FoundMemory {
  const { path: place, text } = readText(path, source);
  if (source.known.has(text)) return { files: [], leftOut: [] };
  source.known.add(text);
  const targets = importsIn(text);
  const file = { path: fromRoot(place, source), text };
  const imports = targets
    .slice(0, maxImports)
    .map((target) => readImport({ by: place, depth: depth + 1, target }, source));
  const more = targets.length - maxImports;
  const beyond = more > 0 ? [`${more} more words with an @ in ${showPath(file.path)} are not looked up.`] : [];
  return {
    files: [...imports.flatMap(({ files }) => files), ...(text.trim() === "" ? [] : [file])],
    leftOut: [...imports.flatMap(({ leftOut }) => leftOut), ...beyond],
  };
}

function readImport({ by, depth, target }: Import, source: MemorySource): FoundMemory {
  const path = /^[~/]/.test(target) ? target : pathIn(posix.dirname(by), target);
  try {
    if (depth > maxDepth) throw new Failure("E_TOO_DEEP", `${showPath(target)} is imported ${depth} files deep.`);
    if (source.known.size >= maxFiles) throw new Failure("E_TOO_MANY", `${showPath(target)} is one file too many.`);
    return readWithImports(path, source, depth);
  } catch (thrown) {
    const { code, message } = asFailure(thrown);
    // Not every word with an @ is an import.
    if ((code === "E_NOT_FOUND" || code === "E_IS_FOLDER") && !target.endsWith(".md"))
      return { files: [], leftOut: [] };
    return { files: [], leftOut: [`${message} (Imported by ${showPath(fromRoot(by, source))}.)`] };
  }
}

/** `../` for what lies above. */
function fromRoot(path: string, { within }: MemorySource): string {
  return posix.relative(within, path);
}

function readText(path: string, source: MemorySource): MemoryFile {
  using file = source.fence.pin(path, "read");
  const name = showPath(fromRoot(file.path, source));
  if (!source.covers(file.path)) {
    throw new Failure("E_OUTSIDE_ROOT", `${name} is outside the project, and no memory file of a folder around it.`);
  }
  if (file.verdict.decision !== "allow") {
    throw new Failure("E_REFUSED", `${name} may only be opened by a person (${file.verdict.rule}).`);
  }
  if (!source.trusted(file.owner)) throw new Failure("E_FOREIGN", `${name} belongs to another user.`);
  const decoded = decode(source.fence.content(file, maxFileBytes));
  if (decoded === undefined) throw binary(file.path);
  return { path: file.path, text: decoded.text.replaceAll("\r\n", "\n") };
}
