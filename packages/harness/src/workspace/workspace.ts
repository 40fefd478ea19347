/**
 * The door to files, and what tools hold: the fence with the gate in front. Every call asks the gate once before
 * anything is resolved, pins the place by descriptor, asks about what is pinned, then acts on that very descriptor.
 */

import type { Gate } from "../gate/gate.ts";
import { maxFileBytes } from "./place/content.ts";
import { doorOf } from "./door.ts";
import type { Entry, Fence, ListOptions, Scan } from "./fence.ts";
import type { Hit } from "./search/hits.ts";
import type { Query, SearchBackend, SearchDone } from "./search.ts";
import type { ImageView } from "./image/image.ts";
import type { FileView } from "./text/view.ts";

export type { Hit };

export interface Workspace {
  /**
   * A whole text file, at most `maxFileBytes`. Throws E_BINARY, E_TOO_LARGE, E_IS_FOLDER, E_NOT_REGULAR, E_NOT_FOUND…
   */
  read(path: string, signal: AbortSignal): Promise<FileView>;
  /** A text file as `read` gives it, or an image. Also throws E_IMAGE_FORMAT, E_IMAGE_DAMAGED, E_IMAGE_TOO_LARGE. */
  look(path: string, signal: AbortSignal): Promise<FileView | ImageView>;
  list(path: string, options: ListOptions, signal: AbortSignal): Scan<Entry>;
  /** Lines that match, each file's together and in order. Throws E_BAD_PATTERN, E_BAD_GLOB, E_NO_RIPGREP, E_BINARY… */
  search(query: Query, signal: AbortSignal): AsyncIterable<Hit | SearchDone>;
}

export type WorkspaceParts = {
  fence: Fence;
  gate: Gate;
  search: SearchBackend;
  /** Absent, denied and outside read the same: whoever asks learns nothing of what there is. */
  strict?: boolean | undefined;
};

/** A workspace on a fence. There is no default gate. */
export function openWorkspace({ fence, gate, search, strict = false }: WorkspaceParts): Workspace {
  const enter = doorOf(fence, gate, strict);
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
    async *list(path, options, signal) {
      using folder = await enter({ kind: "list", asked: path }, signal);
      yield* fence.list(folder, options, signal);
    },
    async *search(query, signal) {
      using place = await enter({ kind: "search", pattern: query.pattern, asked: query.path ?? "." }, signal);
      const { hitsIn } = await import("./reading.ts");
      yield* hitsIn(place, { fence, backend: search, query, signal });
    },
  };
}
