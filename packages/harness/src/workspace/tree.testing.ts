/** Trees on disk for tests, and what they leave behind. */

import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export type Planted = string | Uint8Array | { readonly link: string };
export type Tree = { readonly root: string; readonly outside: string; readonly remove: () => void };

/**
 * A root with the given entries (a path ending in a slash is a folder, `{link}` a symbolic link with ROOT and OUTSIDE
 * replaced) beside a folder "outside" that holds secret.txt, "SECRET". `remove` takes all of it away.
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
    else symlinkSync(planted.link.replace("ROOT", root).replace("OUTSIDE", outside), place);
  }
  return { root, outside, remove: () => rmSync(base, { recursive: true, force: true }) };
}

/** How many descriptors this process has open; constant where there is no way to tell. */
export function openDescriptors(): number {
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
}
