/** Taking away to safety what a command has left where it may not. */

import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Kind } from "../fence.ts";
import type { Place } from "../place/place.ts";
import { codeOf } from "../place/system.ts";
import { opened } from "./opened.ts";

/** Characters; a name may have 255 bytes on most file systems. */
const longestName = 80;

/** An entry, and the folder that it lies in under this name. */
type Held = { folder: Place; name: string; entry: Place };

/** Holds an entry and its folder, no link followed; undefined where there is no such entry. */
export function withEntry<Result>(top: Place, path: string, act: (held: Held) => Result): Result | undefined {
  const names = path.split("/");
  const name = names.pop() ?? "";
  const held: Place[] = [];
  using shut = new DisposableStack();
  try {
    let folder = top;
    shut.use(opened(top));
    for (const step of names) {
      const next = folder.child(step);
      if (next === undefined) return undefined;
      held.push(next);
      folder = next;
      if (folder.kind !== "directory") return undefined;
      shut.use(opened(folder));
    }
    const entry = folder.child(name);
    if (entry === undefined) return undefined;
    held.push(entry);
    shut.use(opened(entry));
    return act({ folder, name, entry });
  } finally {
    shut.dispose();
    for (const place of held) place.release();
  }
}

/** Where the link leads, as written in it; undefined for any other kind. */
export function linkAt(top: Place, path: string, kind: Kind): string | undefined {
  if (kind !== "link") return undefined;
  return withEntry(top, path, ({ folder, name, entry }) =>
    entry.kind === "link" ? readlinkSync(`${folder.systemPath()}/${name}`) : undefined,
  );
}

/**
 * Moves an entry into `folder`, which is made if need be, and gives its new path; undefined where there is none, or none
 * any more.
 */
export function moveAway(top: Place, path: string, folder: string): string | undefined {
  return withEntry(top, path, ({ folder: parent, name }) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const unique = `${Date.now()}-${randomBytes(4).toString("hex")}`;
    const to = join(folder, `${unique}-${path.replaceAll("/", "%")}`.slice(0, longestName));
    const from = `${parent.systemPath()}/${name}`;
    try {
      return moveTo(from, to) ? to : undefined;
    } catch {
      // To another file system not everything can be moved, such as a FIFO: under another name it is obeyed by nobody.
      const aside = `taken-away-${unique}`;
      renameSync(from, `${parent.systemPath()}/${aside}`);
      return aside;
    }
  });
}

/** Puts a link back where it was. */
export function restoreLink(top: Place, path: string, target: string): void {
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : undefined;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const put = (place: Place): void => symlinkSync(target, `${place.systemPath()}/${name}`);
  if (folder === undefined) put(top);
  else withEntry(top, folder, ({ entry }) => put(entry));
}

/** Whether it was still there. */
function moveTo(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return false;
    if (codeOf(thrown) !== "EXDEV") throw thrown;
  }
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false });
  rmSync(from, { recursive: true });
  return true;
}
