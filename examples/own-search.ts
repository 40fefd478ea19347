/**
 * A search backend of one's own, over an index that is held in memory. It passes the suite for backends
 * (`searchConformance` of @croft/harness/testing); every line that croft shows is read again through the fence.
 */

import { posix } from "node:path";
import { Failure, unsupported, type Lookup, type Proposal, type SearchBackend, type Territory } from "@croft/harness";

/** The text of each file by its path, and which of them a search leaves out unless it is told otherwise. */
export type Index = { files: ReadonlyMap<string, string>; isIgnored: (path: string) => boolean };

/** A backend that looks at the index alone, whatever folder it is asked about. */
export function indexed(index: Index): SearchBackend {
  return {
    name: "index",
    supportsFollow: false,
    async *search(lookup, signal) {
      const pattern = patternOf(lookup);
      const { paths, skipped } = within(index, lookup);
      let left = lookup.limit ?? Number.POSITIVE_INFINITY;
      for (const path of paths) {
        signal.throwIfAborted();
        for (const finding of findings(path, index.files.get(path) ?? "", pattern)) {
          if (left === 0) {
            yield { done: true, complete: false, stopped: true };
            return;
          }
          left -= 1;
          yield finding;
        }
      }
      signal.throwIfAborted();
      yield { done: true, complete: true, skipped };
    },
  };
}

function* findings(path: string, text: string, pattern: RegExp): Generator<Proposal> {
  let offset = 0;
  for (const [at, line] of text.split("\n").entries()) {
    const match = pattern.exec(line);
    if (match !== null) {
      yield { path, line: at + 1, column: Buffer.byteLength(line.slice(0, match.index)), offset };
    }
    offset += Buffer.byteLength(line) + 1;
  }
}

function within({ files, isIgnored }: Index, asked: Lookup): { paths: string[]; skipped: string | undefined } {
  refuse(asked);
  const { file, depth = Number.POSITIVE_INFINITY } = asked;
  if (file !== undefined) return { paths: [file], skipped: undefined };
  const near = [...files.keys()].toSorted().filter((path) => path.split("/").length <= depth && matches(path, asked));
  const paths = near.filter(
    (path) => (asked.ignored === true || !isIgnored(path)) && (asked.hidden !== false || !/(?:^|\/)\./.test(path)),
  );
  return { paths, skipped: paths.length < near.length ? "hidden or ignored files" : undefined };
}

/** A glob without a slash may match in any folder. */
function matches(path: string, { glob, iglob }: Territory): boolean {
  if (glob === undefined && iglob === undefined) return true;
  const fits = (one: string, name: string): boolean => posix.matchesGlob(name, one.includes("/") ? one : `**/${one}`);
  return (
    (glob !== undefined && fits(glob, path)) || (iglob !== undefined && fits(iglob.toLowerCase(), path.toLowerCase()))
  );
}

function refuse({ follow, glob = "", iglob = "" }: Territory): void {
  if (follow === true) throw unsupported("index");
  if (/(?:^|\/)\.\.(?:\/|$)/.test(`${glob}/${iglob}`)) throw new Failure("E_BAD_GLOB", "The glob leads out.");
}

function patternOf({ pattern, literal, ignoreCase }: Lookup): RegExp {
  try {
    return new RegExp(
      literal === true ? pattern.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`) : pattern,
      ignoreCase === true ? "iu" : "u",
    );
  } catch (cause) {
    throw new Failure("E_BAD_PATTERN", "The pattern is no regular expression.", { cause });
  }
}
