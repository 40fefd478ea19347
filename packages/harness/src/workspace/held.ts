/** A file held open for later questions: the same file for as long as it is held, whatever its path comes to name. */

import { hash } from "node:crypto";
import { Failure } from "../error.ts";
import type { Gate } from "../gate/gate.ts";
import { passGate } from "../gate/pass.ts";
import type { Fence, FileNow, Hash, Pinned } from "./fence.ts";
import { maxFileBytes } from "./place/content.ts";
import type { Query, SearchBackend, SearchDone } from "./search.ts";
import { hitsInHeld, type Hit } from "./search/hits.ts";
import { examineLarge } from "./text/large.ts";
import { showPath } from "./text/show-path.ts";
import type { Encoding } from "./text/text.ts";

/** What became of it since: something was put behind its end; its last name was deleted. */
export type Since = "same" | "grown" | "deleted";

/** What to look for in one file. */
export type HeldQuery = Omit<Query, "path" | "glob" | "iglob" | "depth" | "hidden" | "ignored" | "follow">;

/** One file, held by descriptor. Dispose it to let it go. */
export interface HeldFile extends Disposable {
  /** As resolved, relative to the root. */
  readonly path: string;
  /** Bytes when it was opened: what was put behind them later is not part of it. */
  readonly size: number;
  /** Of a file larger than `maxFileBytes`, that of its size and both its ends. */
  readonly hash: Hash;
  readonly encoding: Encoding;
  /**
   * To be asked before each use: the gate, as if it were opened again, and whether the bytes are still those that were
   * opened. Throws E_REFUSED, and E_STALE once it was cut or rewritten in place.
   */
  again(signal: AbortSignal): Promise<Since>;
  /** Fills what it is given from a position on; 0 bytes mean the end. Throws E_RELEASED, and the system's error. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** Lines that match, in order. Throws as `Workspace.search`. */
  search(query: HeldQuery, signal: AbortSignal): AsyncIterable<Hit | SearchDone>;
  /** Hides in a text of it what must not be shown; absent where the bytes are as they may be shown. */
  readonly hide?: ((text: string) => string) | undefined;
}

export type HeldParts = { fence: Fence; gate: Gate; backend: SearchBackend };

/** Takes over what is pinned. Throws E_BINARY, E_IS_FOLDER, E_NOT_REGULAR, E_UNREADABLE. */
export async function holdFile(file: Pinned, { fence, gate, backend }: HeldParts): Promise<HeldFile> {
  try {
    const { path, size } = file;
    const opened = fence.now(file);
    const { hash: ends, encoding } = await examineLarge(fence, file);
    const versionNow = (): Hash => hash("sha256", fence.content(file, maxFileBytes));
    const version = size > maxFileBytes ? ends : versionNow();
    const reader = fence.open(file);
    let isHeld = true;
    let known = opened;

    /** A time that was set back hides nothing: whatever was done to it, its bytes are looked at again, of a large one the ends. */
    async function isSame(now: FileNow): Promise<boolean> {
      if (now.size !== opened.size || now.modified !== opened.modified) return false;
      if (now.changed === known.changed) return true;
      const found = size > maxFileBytes ? (await examineLarge(fence, file)).hash : versionNow();
      if (found !== version) return false;
      known = now;
      return true;
    }

    return {
      path,
      size,
      hash: version,
      encoding,
      async again(signal) {
        await passGate(gate, { kind: "read", asked: path }, signal);
        const now = fence.now(file);
        if (await isSame(now)) return now.links === 0 ? "deleted" : "same";
        if (now.size > opened.size && (await examineLarge(fence, file)).hash === ends) return "grown";
        throw stale(path, opened, now);
      },
      async read(into, position) {
        // The number of a closed descriptor may already be another file's.
        if (!isHeld) throw new Failure("E_RELEASED", `${showPath(path)} is no longer held.`);
        return await reader.read(into.subarray(0, Math.max(0, size - position)), position);
      },
      search: (query, signal) => hitsInHeld(file, { fence, backend, query, signal }),
      [Symbol.dispose]() {
        if (!isHeld) return;
        isHeld = false;
        reader.close();
        file[Symbol.dispose]();
      },
    };
  } catch (thrown) {
    file[Symbol.dispose]();
    throw thrown;
  }
}

function stale(path: string, opened: FileNow, now: FileNow): Failure {
  const how = now.size < opened.size ? `was cut to ${now.size} bytes` : "was rewritten";
  return new Failure("E_STALE", `${showPath(path)} ${how} since it was opened.`, {
    remedy: "Open it again, and use the new id.",
  });
}
