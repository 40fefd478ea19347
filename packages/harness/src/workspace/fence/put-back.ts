/** What takes back the steps of a commit that fails. */

import type { NewFile, Place } from "../place/place.ts";
import { codeOf } from "../place/system.ts";
import type { Observe } from "./step.ts";

/** `path` is what stays changed if `undo` throws. */
export type Inverse = { readonly path: string; readonly undo: () => void };

/** Takes all back, the last first. Gives the paths that could not be put back. */
export function takeBack(inverses: readonly Inverse[], observe: Observe): string[] {
  const left: string[] = [];
  for (const { path, undo } of inverses.toReversed()) {
    try {
      undo();
      observe({ did: "put back", path });
    } catch {
      left.push(path);
    }
  }
  return left;
}

/** Removes a file that was made; what has taken its name since is not ours. */
export function unmake(folder: Place, name: string, path: string, identity: unknown): Inverse {
  const undo = (): void => {
    if (identityAt(folder, name) === identity) folder.writer().remove(name);
  };
  return { path, undo };
}

/** Brings to the disk what is put back; where that fails it is put back all the same. */
export function syncBack(folder: Place): Inverse {
  const undo = (): void => {
    try {
      folder.writer().sync();
    } catch {
      // Whoever reads the file now sees it as it was.
    }
  };
  return { path: folder.path, undo };
}

/** Removes a file that waits for its name, if it still does. */
export function unstage(folder: Place, temporary: string, path: string): Inverse {
  return { path, undo: () => unless(new Set(["ENOENT"]), () => folder.writer().remove(temporary)) };
}

/** Removes a folder that was made, unless somebody uses it by now, or has moved it. */
export function unmakeFolder(parent: Place, name: string, path: string): Inverse {
  const inTheWay = new Set(["ENOENT", "ENOTEMPTY", "ENOTDIR"]);
  return { path, undo: () => unless(inTheWay, () => parent.writer().removeFolder(name)) };
}

export type Names = { readonly name: string; readonly temporary: string };

/** A file as it was, and where it belongs; `path` for people. */
export type OldFile = {
  readonly folder: Place;
  readonly names: Names;
  readonly old: NewFile;
  readonly path: string;
};

/** Puts an old file in the place of the new one, if that is still there. */
export function unreplace({ folder, names, old, path }: OldFile, identity: unknown): Inverse {
  const undo = (): void => {
    if (identityAt(folder, names.name) !== identity) throw new Error("It has been changed since.");
    folder.writer().create(names.temporary, old);
    folder.writer().replace(names.temporary, names.name);
  };
  return { path, undo };
}

/** Puts a removed file back, if its name is free. */
export function unremove({ folder, names, old, path }: OldFile): Inverse {
  const undo = (): void => {
    folder.writer().create(names.temporary, old);
    try {
      folder.writer().place(names.temporary, names.name);
    } catch (thrown) {
      folder.writer().remove(names.temporary);
      throw thrown;
    }
  };
  return { path, undo };
}

/** Which file bears a name now; undefined for none. */
export function identityAt(folder: Place, name: string): unknown {
  const place = folder.child(name);
  const identity = place?.identity();
  place?.release();
  return identity;
}

function unless(codes: ReadonlySet<string | undefined>, act: () => void): void {
  try {
    act();
  } catch (thrown) {
    if (!codes.has(codeOf(thrown))) throw thrown;
  }
}
