import { describe, expect, onTestFinished, test } from "vitest";
import { Failure } from "../error.ts";
import type { BackendDone, Frames, Lookup, Proposal, SearchBackend, Territory } from "../workspace/search.ts";
import { ripgrep } from "../workspace/search/ripgrep.ts";
import { unbounded } from "../workspace/search/refusals.ts";
import { plantTree } from "../workspace/tree.testing.ts";
import { searchConformance, type OpenBackendForCase } from "./search-conformance.ts";

const rg = ripgrep("");

function over(backend: SearchBackend): OpenBackendForCase {
  return (files) => {
    const tree = plantTree(files);
    onTestFinished(tree.remove);
    return { backend, cwd: tree.root };
  };
}

/** ripgrep with a cap, and with names: those of files that have a line. */
const capped: SearchBackend = {
  ...rg,
  name: "capped",
  cap: 100,
  async *search(lookup, signal) {
    refuseUnbounded(lookup);
    yield* rg.search(lookup, signal);
  },
  async *find({ limit, ...territory }, signal) {
    refuseUnbounded({ limit });
    let last = "";
    let count = 0;
    for await (const frame of rg.search({ ...territory, pattern: "", perFile: 1 }, signal)) {
      if ("done" in frame) yield frame;
      else if (frame.path !== last) {
        if (count === limit) {
          yield { done: true, complete: false, stopped: true };
          return;
        }
        last = frame.path;
        count += 1;
        yield { path: frame.path };
      }
    }
  },
};

function refuseUnbounded({ limit }: Pick<Territory, "limit">): void {
  if (limit === undefined || limit > 100) throw unbounded("capped", 100);
}

describe.each([
  { name: "ripgrep", backend: rg },
  { name: "a backend with a cap that finds files too", backend: capped },
])("$name", ({ backend }) => {
  test.for(searchConformance)("$name", ({ run }) => run(over(backend)));
});

type Frame = Proposal | BackendDone;

/** The same backend, asked something else, or with other frames. */
function spoilt(
  ask: (lookup: Lookup) => Partial<Lookup>,
  tell?: (frames: Frame[], lookup: Lookup) => Frame[],
): SearchBackend {
  return {
    ...rg,
    async *search(lookup, signal): Frames<Proposal> {
      const frames = await Array.fromAsync(rg.search({ ...lookup, ...ask(lookup) }, signal));
      yield* tell?.(frames, lookup) ?? frames;
    },
  };
}

const asAsked = (): Partial<Lookup> => ({});
const isDone = (frame: Frame): frame is BackendDone => "done" in frame;
const finding = (change: (one: Proposal) => Proposal): SearchBackend =>
  spoilt(asAsked, (frames) => frames.map((frame) => (isDone(frame) ? frame : change(frame))));
const done = (change: Partial<BackendDone>): SearchBackend =>
  spoilt(asAsked, (frames) => frames.map((frame) => (isDone(frame) ? { ...frame, ...change } : frame)));
const withFind = (find: NonNullable<SearchBackend["find"]>): SearchBackend => ({ ...rg, find });

/** By the beginning of a case's name: what breaks the rule that it is about. */
const broken: Readonly<Record<string, SearchBackend>> = {
  "findings come first": spoilt(asAsked, (frames) => [...frames, ...frames.slice(-1)]),
  "where nothing matches": done({ complete: false }),
  "paths are relative": finding((one) => ({ ...one, path: `./${one.path}` })),
  "lines of one file": spoilt(asAsked, (frames) => [
    ...frames.filter((one) => !isDone(one)).toReversed(),
    ...frames.filter(isDone),
  ]),
  "columns and offsets": finding((one) => ({ ...one, column: one.column + 1 })),
  "a pattern is a regular": spoilt(() => ({ literal: true })),
  "case counts": spoilt(() => ({ ignoreCase: true })),
  "a pattern that begins": spoilt(({ pattern }) => ({ pattern: pattern.replace(/^-/, "") })),
  "globs narrow": spoilt(() => ({ glob: undefined, iglob: undefined })),
  "a glob that leads out": spoilt(() => ({ glob: undefined })),
  "a search goes no deeper": spoilt(() => ({ depth: undefined })),
  "hidden files": spoilt(() => ({ hidden: true })),
  "ignored files": done({ skipped: undefined }),
  "one file is searched": spoilt(() => ({ file: undefined })),
  "a pattern that cannot": spoilt(({ pattern }) => ({ literal: pattern === "(" })),
  "no more is given": spoilt(() => ({ limit: undefined })),
  "where there is just": done({ stopped: true }),
  "a backend with a cap": { ...rg, cap: 3 },
  "links are followed": spoilt(() => ({ follow: undefined })),
  "who stops early": {
    ...rg,
    async *search(lookup, signal) {
      if (lookup.pattern === "needle one") throw new Failure("E_SEARCH_FAILED", "Still busy.");
      yield* rg.search(lookup, signal);
    },
  },
  "an aborted search": {
    ...rg,
    async *search() {
      yield { done: true, complete: true };
    },
  },
  "a backend has a name": { ...rg, name: " " },
  "files are found": withFind(async function* find() {
    yield { path: "src/a.ts" };
    yield { done: true, complete: true };
  }),
};

test.for(searchConformance)("a backend that breaks it fails: $name", async ({ name, run }) => {
  const [, backend] = Object.entries(broken).find(([beginning]) => name.startsWith(beginning)) ?? [];
  if (backend === undefined) throw new Error("Nothing breaks this case.");
  await expect(run(over(backend))).rejects.toThrow();
});
