/** Trees on disk for tests, and what they leave behind. */

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../../../test/support/remove-tree.ts";

export type Planted = string | Uint8Array | { readonly link: string } | { readonly program: string };
export type Tree = { readonly root: string; readonly outside: string; readonly remove: () => void };

/**
 * A root with the given entries (a path ending in a slash is a folder, `{link}` a symbolic link with ROOT and OUTSIDE
 * replaced, `{program}` a file that can be run) beside a folder "outside" that holds secret.txt, "SECRET". `remove` takes all of it away.
 */
export function plantTree(entries: Readonly<Record<string, Planted>>): Tree {
  const base = realpathSync.native(mkdtempSync(path.join(tmpdir(), "croft-")));
  const root = path.join(base, "root");
  const outside = path.join(base, "outside");
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(path.join(outside, "secret.txt"), "SECRET");
  for (const [name, planted] of Object.entries(entries)) {
    const place = path.join(root, name);
    mkdirSync(name.endsWith("/") ? place : path.dirname(place), { recursive: true });
    if (name.endsWith("/")) continue;
    if (typeof planted === "string" || planted instanceof Uint8Array) writeFileSync(place, planted);
    else if ("program" in planted) writeFileSync(place, planted.program, { mode: 0o755 });
    else symlinkSync(planted.link.replace("ROOT", root).replace("OUTSIDE", outside), place);
  }
  return { root, outside, remove: () => removeTree(base) };
}

/** All there is in a folder, links not followed: "644 text", "-> target", "folder", "other". */
export function snapshotOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  const look = (below: string): void => {
    for (const { name } of readdirSync(path.join(folder, below), { withFileTypes: true })) {
      const place = path.join(below, name);
      found[place] = describe(path.join(folder, place));
      if (found[place] === "folder") look(place);
    }
  };
  look("");
  return found;
}

function describe(place: string): string {
  const stats = lstatSync(place);
  if (stats.isSymbolicLink()) return `-> ${readlinkSync(place)}`;
  if (stats.isDirectory()) return "folder";
  return stats.isFile() ? `${(stats.mode & 0o7777).toString(8)} ${readFileSync(place, "utf8")}` : "other";
}

/** Runs as a user without rights where this one has them all. */
export function asNobody<T>(tree: Tree, act: () => T): T {
  if (process.geteuid?.() !== 0) return act();
  chmodSync(path.dirname(tree.root), 0o755);
  process.seteuid?.(65_534);
  try {
    return act();
  } finally {
    process.seteuid?.(0);
  }
}

/** How many descriptors this process has open; constant where there is no way to tell. */
export function openDescriptors(): number {
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
}
