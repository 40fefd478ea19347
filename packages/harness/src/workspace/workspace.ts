/**
 * The door to files, and what tools hold: the fence with the gate in front. Every call asks the gate once before
 * anything is resolved, pins the place by descriptor, asks about what is pinned, then acts on that very descriptor.
 */

import type { Gate } from "../gate/gate.ts";
import { maxFileBytes } from "./place/content.ts";
import type { BeforeImages, Change, Committed } from "./change.ts";
import { createDoor } from "./door.ts";
import type { Entry, Fence, ListOptions, Scan } from "./fence.ts";
import type { Hit } from "./search/hits.ts";
import type { HeldFile } from "./held.ts";
import type { NameQuery, Query, SearchBackend, SearchDone } from "./search.ts";
import type { ImageView } from "./image/image.ts";
import type { Source } from "./source.ts";
import type { FileView } from "./text/view.ts";

export type { HeldFile, Hit, Source };

/**
 * The door to files: what tools hold. Each call pins a place, asks the gate about it, and acts on what was pinned. All
 * throw E_REFUSED where the gate says no.
 */
export interface Workspace {
  /**
   * A whole text file, at most `maxFileBytes`. Throws E_BINARY, E_TOO_LARGE, E_IS_FOLDER, E_NOT_REGULAR, E_NOT_FOUND…
   */
  read(path: string, signal: AbortSignal): Promise<FileView>;
  /** A text file as `read` gives it, or an image. Also throws E_IMAGE_FORMAT, E_IMAGE_DAMAGED, E_IMAGE_TOO_LARGE. */
  look(path: string, signal: AbortSignal): Promise<FileView | ImageView>;
  /**
   * A text file of any size, held open for later questions: it stays this very file. To be disposed. Throws as `read`,
   * E_TOO_LARGE aside.
   */
  open(path: string, signal: AbortSignal): Promise<HeldFile>;
  list(path: string, options: ListOptions, signal: AbortSignal): Scan<Entry>;
  /** Files of the whole project by their names, in path order unless a backend finds them. Throws as `list`, `search`. */
  find(query: NameQuery, signal: AbortSignal): AsyncIterable<Entry | SearchDone>;
  /** Lines that match, each file's together and in order. Throws E_BAD_PATTERN, E_BAD_GLOB, E_NO_RIPGREP, E_BINARY… */
  search(query: Query, signal: AbortSignal): AsyncIterable<Hit | SearchDone>;
  /** A whole file as it is, at most `maxChangedBytes`; the gate is asked to read it. Throws as `read`, E_BINARY aside. */
  source(path: string, signal: AbortSignal): Promise<Source>;
  /**
   * Changes files, all or none. The gate is asked before anything is resolved, then with the canonical paths and the
   * diffs of the bytes that will land; what was approved is what lands, or nothing (E_STALE). In the order of
   * `changes`. Throws E_REFUSED, E_NO_CHANGE where a file already is as asked, and what the fence's plans throw.
   */
  commit(changes: readonly Change[], signal: AbortSignal): Promise<readonly Committed[]>;
}

export type WorkspaceParts = {
  fence: Fence;
  gate: Gate;
  search: SearchBackend;
  /** Keeps what is about to be replaced. Without it, what is replaced is gone. */
  before?: BeforeImages | undefined;
  /** Absent, denied and outside read the same: whoever asks learns nothing of what there is. */
  strict?: boolean | undefined;
};

/** A workspace on a fence. There is no default gate. */
export function openWorkspace({ fence, gate, search, before, strict = false }: WorkspaceParts): Workspace {
  const enter = createDoor({ fence, gate, strict });
  return {
    async read(path, signal) {
      using file = await enter({ kind: "read", asked: path }, signal);
      const { viewOf } = await import("./reading.ts");
      return viewOf(file.path, fence.content(file, maxFileBytes));
    },
    async look(path, signal) {
      using file = await enter({ kind: "read", asked: path }, signal);
      const { look } = await import("./reading.ts");
      return await look(fence, file);
    },
    async open(path, signal) {
      const file = await enter({ kind: "read", asked: path }, signal);
      const { holdFile } = await import("./reading.ts");
      return await holdFile(file, { fence, gate, backend: search });
    },
    async *list(path, options, signal) {
      using folder = await enter({ kind: "list", asked: path }, signal);
      yield* fence.list(folder, options, signal);
    },
    async *search(query, signal) {
      using place = await enter({ kind: "search", pattern: query.pattern, asked: query.path ?? "." }, signal);
      const { hitsIn } = await import("./reading.ts");
      yield* hitsIn(place, { fence, backend: search, query, signal });
    },
    async *find(query, signal) {
      using root = await enter({ kind: "list", asked: "." }, signal);
      const { namesIn } = await import("./reading.ts");
      yield* namesIn(root, { fence, backend: search, query, signal });
    },
    async source(path, signal) {
      using file = await enter({ kind: "read", asked: path }, signal);
      const { sourceOf } = await import("./reading.ts");
      return sourceOf(fence, file);
    },
    async commit(changes, signal) {
      const { commit } = await import("./commit.ts");
      return await commit({ fence, gate, strict, before }, changes, signal);
    },
  };
}
