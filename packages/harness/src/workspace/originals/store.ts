/** Where the bytes of files are kept as they were: a private folder of this process. */

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isLeftProcess, processName } from "../../process/system/owner.ts";
import type { Found } from "./look.ts";
import type { Kept } from "./tree.ts";

/** Bytes that are kept; a project with more is looked at, and cannot be run with its own versions. */
const keptLimit = 128_000_000;

export interface Store {
  readonly path: string;
  /** When it was made, in milliseconds of the file system's clock. */
  readonly since: number;
  readonly kept: ReadonlyMap<string, Kept>;
  /** Keeps it, unless all that is kept would be too much. Throws the system's error. */
  keep(path: string, found: Found): void;
  forget(path: string): void;
  /** The text of a file that is kept. */
  text(path: string): string | undefined;
  /** Now, by the clock of `since`. */
  moment(): number;
  close(): void;
}

/** Makes one in a folder of ours, and removes what a croft that was killed has left there. Throws the system's error. */
export function openStore(folder: string): Store {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeLeft(folder);
  const store = makeOwn(folder, "originals");
  const kept = new Map<string, Kept>();
  let bytes = 0;
  let count = 0;
  return {
    path: store,
    since: statSync(store).ctimeMs,
    kept,
    keep(path, found) {
      if (found.kind === "link") {
        kept.set(path, found);
        return;
      }
      bytes += found.bytes.length;
      if (bytes > keptLimit) return;
      const place = join(store, String((count += 1)));
      writeFileSync(place, found.bytes, { flag: "wx", mode: 0o600 });
      kept.set(path, { kind: "file", place, mode: found.mode });
    },
    forget: (path) => void kept.delete(path),
    text(path) {
      const one = kept.get(path);
      return one?.kind === "file" ? readFileSync(one.place, "utf8") : undefined;
    },
    moment() {
      const mark = join(store, "moment");
      writeFileSync(mark, "");
      const { ctimeMs } = statSync(mark);
      rmSync(mark);
      return ctimeMs;
    },
    close: () => rmSync(store, { recursive: true, force: true }),
  };
}

/** A folder of this process; what it leaves behind is known by its name. */
export function makeOwn(folder: string, what: "originals" | "tree"): string {
  const made = join(folder, `${what}-${processName()}`);
  mkdirSync(made, { mode: 0o700 });
  return made;
}

/** What a croft that was killed left there. */
function removeLeft(folder: string): void {
  for (const name of readdirSync(folder)) {
    const owner = /^(?:originals|tree)-(.*)$/.exec(name)?.[1];
    if (owner !== undefined && isLeftProcess(owner)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
