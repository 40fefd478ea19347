/** Which files are worth reading for a name, and what is known of them so far. */

import type { Call, Conversation } from "./conversation.ts";
import type { Language } from "./language.ts";
import type { Subject } from "./question.ts";
import { mayDefine } from "./region.ts";
import { type Hit, parseLines } from "./tool-text.ts";

/** How much is read for one name: a lookup costs little, whatever the name. */
const max = { files: 40, lines: 16_000, linesAtOnce: 2000 } as const;
/** Lines read past the last hit in a file, so that its signature is whole. */
const margin = 40;

/** The lines of a file from its start as far as they are known, and the calls that tell the rest. */
export type Read = { path: string; lines: readonly string[]; calls: readonly Call[] };

/** The lines of one file where a name was found. */
export type FileHits = { path: string; language: Language | undefined; hits: readonly Hit[] };

/** Hits by file, in the order of the files; a line counts once. */
export function filesOf(hits: readonly Hit[], languageOf: Conversation["languageOf"]): FileHits[] {
  const byPath = new Map<string, Map<number, Hit>>();
  for (const hit of hits) {
    const lines = byPath.get(hit.path) ?? new Map<number, Hit>();
    byPath.set(hit.path, lines.set(hit.line, hit));
  }
  return [...byPath].map(([path, lines]) => ({
    path,
    language: languageOf(path),
    hits: [...lines.values()].toSorted((a, b) => a.line - b.line),
  }));
}

/**
 * The files worth reading, within bounds: first those that may define the name, then code, then tests. Only the first
 * where nothing but a definition is wanted.
 */
export function filesToRead(files: readonly FileHits[], { name, wants }: Subject): FileHits[] {
  const code = files.flatMap((file) => {
    const { language } = file;
    if (language === undefined) return [];
    const defines = file.hits.some(({ text }) => mayDefine(text, language, name.name));
    return [{ file, defines, rank: (defines ? 0 : 2) + (isAside(file.path) ? 1 : 0) }];
  });
  const enough = wants === "definition" && code.some(({ defines }) => defines);
  const ranked = code.filter(({ defines }) => defines || !enough).toSorted((a, b) => a.rank - b.rank);
  let left: number = max.lines;
  const chosen: FileHits[] = [];
  for (const { file } of ranked) {
    const lines = lastLineOf(file) + margin;
    if (lines > left || chosen.length === max.files) continue;
    left -= lines;
    chosen.push(file);
  }
  return chosen;
}

/** Tests, examples and what others wrote: named after the project's own code. */
export function isAside(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|testdata|examples?|bench(?:marks?)?|vendor|third_party|deps|dist|build|node_modules)\/|[._-](?:test|spec|long)\.|_test\.|(?:^|\/)test_/i.test(
    path,
  );
}

/** The last line of a file where the name was found. */
export function lastLineOf(file: FileHits): number {
  return file.hits.at(-1)?.line ?? 0;
}

/** What is known of a file from its start to its last hit, and the calls that tell the rest. */
export function readThrough(file: FileHits, known: Conversation): Read {
  const { path } = file;
  const wanted = lastLineOf(file) + margin;
  const lines: string[] = [];
  const calls: Call[] = [];
  for (let offset = 1; offset <= wanted;) {
    const limit = Math.min(max.linesAtOnce, wanted - offset + 1);
    const call: Call = { name: "read_file", input: { path, offset, limit } };
    const answer = known.answered(call);
    if (answer?.isError) break;
    if (answer === undefined) {
      // The whole way at once; where an answer turns out shorter, the next round goes on from there.
      calls.push(call);
      offset += limit;
      continue;
    }
    const part = parseLines(answer.text);
    if (part.first === lines.length + 1) lines.push(...part.lines);
    if (part.next === undefined) break;
    offset = part.next;
  }
  return { path, lines, calls };
}
