/**
 * What every search backend must do, as named cases that throw when it does not. They need no test runner: call each in
 * one.
 */

import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import type { BackendDone, Frames, Lookup, Proposal, SearchBackend, Territory } from "../workspace/search.ts";

/** A backend that looks at exactly these files, and the folder they are in, as `cwd` of what it is asked. */
export type OpenedBackend = { backend: SearchBackend; cwd: string };
export type OpenBackendForCase = (files: Readonly<Record<string, string>>) => OpenedBackend | Promise<OpenedBackend>;
/** Throws an assertion of Node where the backend does otherwise. */
export type SearchCase = { readonly name: string; readonly run: (open: OpenBackendForCase) => Promise<void> };

const files = {
  ".gitignore": "*.log\n",
  ".hidden/h.txt": "needle hidden\n",
  "README.md": "a Needle in prose\nno\n-needle\n",
  "a.log": "needle ignored\n",
  "src/a.ts": "needle one\nno\né needle two\nneedle.three\n",
  "src/deep/B.TS": "\tneedle four\n",
  "src/none.ts": "nothing\n",
};

const never = new AbortController().signal;

/** What a case asks with: `search` and `find` end with `done`, or the case fails. */
type Asked = OpenedBackend & {
  search: (lookup: Partial<Lookup>) => Promise<{ found: Proposal[]; done: BackendDone }>;
  find: (territory: Partial<Territory>) => Promise<{ found: string[]; done: BackendDone }>;
};

/** The cases for a `SearchBackend`; each opens one of its own. */
export const searchConformance: readonly SearchCase[] = [
  searchCase("findings come first, then one done, and nothing behind it", async ({ backend, cwd }) => {
    const frames: unknown[] = [];
    for await (const frame of backend.search(lookupFor(backend, cwd, { pattern: "needle" }), never)) frames.push(frame);
    const dones = frames.map((frame) => typeof frame === "object" && frame !== null && "done" in frame);
    deepEqual(dones.indexOf(true), frames.length - 1);
  }),

  searchCase("where nothing matches there is only done, and it is complete", async ({ search }) => {
    const { found, done } = await search({ pattern: "nowhere to be found" });
    deepEqual([found, done.complete], [[], true]);
  }),

  searchCase("paths are relative to the folder, with slashes, and stay below it", async ({ search }) => {
    const { found } = await search({ pattern: "needle" });
    deepEqual(
      new Set(found.map(({ path }) => path)),
      new Set([".hidden/h.txt", "README.md", "src/a.ts", "src/deep/B.TS"]),
    );
  }),

  searchCase("lines of one file come together and in order, each once", async ({ search }) => {
    const { found } = await search({ pattern: "needle" });
    const at = found.flatMap(({ path, line }, index) => (path === "src/a.ts" ? [{ line, index }] : []));
    const first = at[0]?.index ?? 0;
    deepEqual(
      at,
      [1, 3, 4].map((line, more) => ({ line, index: first + more })),
    );
  }),

  searchCase("columns and offsets count bytes, from 0", async ({ search }) => {
    const { found } = await search({ pattern: "needle two", literal: true });
    const [{ column, offset = 14 } = { column: -1 }] = found;
    deepEqual([found.length, column, offset], [1, 3, 14]);
  }),

  searchCase("a pattern is a regular expression, or text where it is literal", async ({ search }) => {
    const lines = async (lookup: Partial<Lookup>): Promise<number[]> =>
      (await search({ ...lookup, glob: "src/a.ts" })).found.map(({ line }) => line);
    deepEqual(await lines({ pattern: "needle.t" }), [3, 4]);
    deepEqual(await lines({ pattern: "needle.t", literal: true }), [4]);
    deepEqual(await lines({ pattern: "^needle\\b.*e$" }), [1, 4]);
  }),

  searchCase("case counts unless it is said that it does not", async ({ search }) => {
    const lines = async (ignoreCase?: boolean): Promise<number[]> =>
      (await search({ pattern: "Needle", ignoreCase, glob: "README.md" })).found.map(({ line }) => line);
    deepEqual([await lines(), await lines(true)], [[1], [1, 3]]);
  }),

  searchCase("a pattern that begins with a dash is a pattern", async ({ search }) => {
    const { found } = await search({ pattern: "-needle" });
    deepEqual(
      found.map(({ path, line }) => [path, line]),
      [["README.md", 3]],
    );
  }),

  searchCase("globs narrow a search, a second one in any case; what matches either counts", async ({ search }) => {
    const paths = async (lookup: Partial<Lookup>): Promise<string[]> =>
      pathsOf(await search({ pattern: "needle", ...lookup }));
    deepEqual(await paths({ glob: "*.ts" }), ["src/a.ts"]);
    deepEqual(await paths({ iglob: "*.ts" }), ["src/a.ts", "src/deep/B.TS"]);
    deepEqual(await paths({ glob: "*.md", iglob: "src/**/*.ts" }), ["README.md", "src/a.ts", "src/deep/B.TS"]);
  }),

  searchCase("a glob that leads out is E_BAD_GLOB", async ({ search }) => {
    await rejects(search({ pattern: "needle", glob: "../*" }), { code: "E_BAD_GLOB" });
  }),

  searchCase("a search goes no deeper than it should", async ({ search }) => {
    const paths = async (depth: number): Promise<string[]> =>
      pathsOf(await search({ pattern: "needle", depth, hidden: false }));
    deepEqual([await paths(1), await paths(2)], [["README.md"], ["README.md", "src/a.ts"]]);
  }),

  searchCase("hidden files are left out where that is asked for, and it is said", async ({ search }) => {
    const { found, done } = await search({ pattern: "needle hidden", hidden: false });
    equal(found.length, 0);
    ok(done.skipped !== undefined, "what was skipped is said");
    equal((await search({ pattern: "needle hidden" })).found.length, 1);
  }),

  searchCase("ignored files are left out unless they are asked for, and it is said", async ({ search }) => {
    const { found, done } = await search({ pattern: "needle ignored" });
    equal(found.length, 0);
    ok(done.skipped !== undefined, "what was skipped is said");
    equal((await search({ pattern: "needle ignored", ignored: true })).found.length, 1);
  }),

  searchCase("one file is searched alone, also one that is ignored", async ({ search }) => {
    deepEqual(pathsOf(await search({ pattern: "needle", file: "README.md" })), ["README.md"]);
    deepEqual(pathsOf(await search({ pattern: "needle", file: "a.log" })), ["a.log"]);
  }),

  searchCase("a pattern that cannot be read is E_BAD_PATTERN", async ({ search }) => {
    await rejects(search({ pattern: "(" }), { code: "E_BAD_PATTERN" });
  }),

  searchCase("no more is given than asked for, and that there is more is said", async ({ search }) => {
    const { found, done } = await search({ pattern: "needle", glob: "src/a.ts", limit: 2 });
    deepEqual([found.length, done.complete, done.stopped], [2, false, true]);
  }),

  searchCase("where there is just as much as was asked for, there is no more", async ({ search }) => {
    const { found, done } = await search({ pattern: "needle", glob: "src/a.ts", limit: 3 });
    deepEqual([found.length, done.complete, done.stopped ?? false], [3, true, false]);
  }),

  searchCase(
    "a backend with a cap refuses what names no limit or a higher one; without one it gives all",
    async (asked) => {
      const { backend, cwd } = asked;
      if (backend.cap === undefined) {
        equal((await asked.search({ pattern: "needle", limit: 1_000_000 })).found.length, 6);
        return;
      }
      const where = { cwd, atRoot: true, pattern: "needle" };
      await rejects(drained(backend.search(where, never)), { code: "E_UNBOUNDED" });
      await rejects(drained(backend.search({ ...where, limit: backend.cap + 1 }, never)), { code: "E_UNBOUNDED" });
      if (backend.find === undefined) return;
      await rejects(drained(backend.find({ cwd, atRoot: true }, never)), { code: "E_UNBOUNDED" });
    },
  ),

  searchCase("links are followed only by a backend that says it can; others refuse it themselves", async (asked) => {
    const { backend, search } = asked;
    if (backend.supportsFollow) {
      ok((await search({ pattern: "needle", follow: true })).found.length > 0);
      return;
    }
    await rejects(search({ pattern: "needle", follow: true }), { code: "E_UNSUPPORTED" });
  }),

  searchCase("who stops early is let go, and may ask again", async ({ backend, cwd, search }) => {
    for await (const _ of backend.search(lookupFor(backend, cwd, { pattern: "needle" }), never)) break;
    equal((await search({ pattern: "needle one" })).found.length, 1);
  }),

  searchCase("an aborted search throws the reason", async ({ backend, cwd }) => {
    const reason = new Error("enough");
    const aborted = AbortSignal.abort(reason);
    await rejects(drained(backend.search(lookupFor(backend, cwd, { pattern: "needle" }), aborted)), reason);
  }),

  searchCase("a backend has a name for what it fails at", async ({ backend }) => {
    ok(backend.name.trim().length > 0);
  }),

  searchCase(
    "files are found by name, with done at the end, where the backend finds files",
    async ({ backend, find }) => {
      if (backend.find === undefined) return;
      const { found, done } = await find({ glob: "*.ts", hidden: false });
      deepEqual([found, done.complete], [["src/a.ts", "src/none.ts"], true]);
      deepEqual((await find({ iglob: "*.ts", depth: 2 })).found, ["src/a.ts", "src/none.ts"]);
      deepEqual((await find({ glob: "*.log" })).found, []);
      deepEqual((await find({ glob: "*.log", ignored: true })).found, ["a.log"]);
      const limited = await find({ glob: "*.ts", limit: 1 });
      deepEqual([limited.found.length, limited.done.complete, limited.done.stopped], [1, false, true]);
    },
  ),
];

function searchCase(name: string, check: (asked: Asked) => Promise<void>): SearchCase {
  return {
    name,
    async run(open) {
      const { backend, cwd } = await open(files);
      await check({
        backend,
        cwd,
        search: (lookup) => drained(backend.search(lookupFor(backend, cwd, lookup), never)),
        async find(territory) {
          const frames = backend.find?.({ ...limited(backend), cwd, atRoot: true, ...territory }, never);
          if (frames === undefined) throw new Error("This backend finds no files.");
          const { found, done } = await drained(frames);
          return { found: found.map(({ path }) => path).toSorted(), done };
        },
      });
    },
  };
}

function lookupFor(backend: SearchBackend, cwd: string, lookup: Partial<Lookup>): Lookup {
  return { ...limited(backend), cwd, atRoot: true, pattern: "", ...lookup };
}

/** As much as there can be. */
function limited({ cap }: SearchBackend): Pick<Territory, "limit"> {
  return cap === undefined ? {} : { limit: cap };
}

async function drained<Finding extends object>(
  frames: Frames<Finding>,
): Promise<{ found: Finding[]; done: BackendDone }> {
  const found: Finding[] = [];
  let done: BackendDone | undefined;
  for await (const frame of frames) {
    if (isDone(frame)) done = frame;
    else found.push(frame);
  }
  if (done === undefined) throw new Error("The backend ended without saying that it was done.");
  return { found, done };
}

function isDone(frame: object): frame is BackendDone {
  return "done" in frame;
}

function pathsOf({ found }: { found: readonly Proposal[] }): string[] {
  return [...new Set(found.map(({ path }) => path))].toSorted();
}
