/** Looks for the files that say whether a project works: ignored ones too, no link followed, each as it is now. */

import { readlinkSync } from "node:fs";
import { isInstalled, type CheckFileKind } from "../../policy/check-files.ts";
import { contentOf } from "../place/content.ts";
import { pathIn, type Place } from "../place/place.ts";
import { ifReachable } from "../place/system.ts";
import { createRests } from "../rests.ts";
import { sha256 } from "../snapshot/objects.ts";
import { definitionIn } from "./definition.ts";
import { mayHoldTests, testsIn } from "./inner-tests.ts";

/** `print`: equal for what means the same check. */
export type CheckFile = { kind: CheckFileKind; print: string };
export type CheckFiles = ReadonlyMap<string, CheckFile>;

export type Difference = { path: string; kind: CheckFileKind; how: "changed" | "deleted" | "new" };

/** What stood at a path, for whoever keeps it. */
export type Found = { kind: "file"; bytes: Uint8Array; mode: number } | { kind: "link"; target: string };

/** Larger files are compared by size alone, and not kept: data, hardly a test. */
const largest = 16_777_216;
const maxLevels = 64;

export type LookOptions = {
  /** Relative to the root, posix separators. */
  kindOf: (path: string) => CheckFileKind | undefined;
  /** Hears of each. */
  keep: (path: string, found: Found) => void;
};

/** That it is there is all there is to it. */
const goal: CheckFile = { kind: "goal", print: "" };

/** What cannot be read is left out. Throws the signal's reason. */
export async function lookAt(
  top: Place,
  { kindOf, keep }: LookOptions,
  signal: AbortSignal,
): Promise<Map<string, CheckFile>> {
  const files = new Map<string, CheckFile>();
  const rests = createRests(signal);

  function see(path: string, folder: Place, name: string): void {
    const kind = kindOf(path) ?? (mayHoldTests(path) ? "source" : undefined);
    if (kind === undefined) return;
    if (kind === "goal") return void files.set(path, goal);
    const place = folder.child(name);
    try {
      if (kind === "source" && place?.kind === "link") return;
      if (place?.kind === "link") {
        const target = readlinkSync(`${folder.systemPath()}/${name}`);
        files.set(path, { kind, print: `link ${target}` });
        keep(path, { kind: "link", target });
      } else if (place?.kind === "file" && place.size > largest) {
        files.set(path, { kind, print: `large ${place.size}` });
      } else if (place?.kind === "file") {
        const bytes = ifReachable(() => contentOf(place));
        if (bytes === undefined) return;
        const print = printOf(path, kind, bytes);
        if (print === undefined) return;
        files.set(path, { kind, print });
        keep(path, { kind: "file", bytes, mode: place.mode });
      }
    } finally {
      place?.release();
    }
  }

  async function enter(folder: Place, levels: number, installed: boolean): Promise<void> {
    for (const { name, kind } of ifReachable(() => [...folder.entries()]) ?? []) {
      if (kind === "file" || kind === "link") see(pathIn(folder.path, name), folder, name);
      if (kind === "directory") await look(folder, name, { levels, installed });
      if (rests.isDue()) await rests.take();
    }
  }

  async function look(above: Place, name: string, at: { levels: number; installed: boolean }): Promise<void> {
    const path = pathIn(above.path, name);
    if (kindOf(path) === "goal") files.set(path, goal);
    if (at.levels >= maxLevels || !isEntered(name, at.installed)) return;
    const folder = above.child(name);
    try {
      if (folder?.kind === "directory") await enter(folder, at.levels + 1, at.installed || isInstalled(name));
    } finally {
      folder?.release();
    }
  }

  await enter(top, 0, false);
  return files;
}

/** Of what is installed, only the programs that can be called by name. */
function isEntered(name: string, installed: boolean): boolean {
  return installed ? name === ".bin" || name === "bin" : name !== ".git" && name !== "target";
}

/** Of a regular file. Undefined: a source without tests. */
export function printOf(path: string, kind: CheckFileKind, bytes: Uint8Array): string | undefined {
  if (kind !== "definition" && kind !== "source") return sha256(bytes);
  const text = Buffer.from(bytes).toString("latin1");
  const part = kind === "source" ? testsIn(path, text) : definitionIn(path, text);
  return kind === "source" && part === "" ? undefined : sha256(Buffer.from(part, "latin1"));
}

/**
 * What is otherwise now. New tests are fine and left out; so is a new definition where no test was, as of a package that
 * is new as a whole. In order of path.
 */
export function differences(before: CheckFiles, now: CheckFiles): Difference[] {
  const found: Difference[] = [];
  for (const [path, { kind, print }] of before) {
    const other = now.get(path);
    if (other === undefined) found.push({ path, kind, how: "deleted" });
    else if (other.print !== print) found.push({ path, kind, how: "changed" });
  }
  const known = foldersOf(before);
  for (const [path, { kind, print }] of now) {
    if (before.has(path)) continue;
    const defines = kind === "definition" && print !== empty && known.has(folderOf(path));
    if (defines || kind === "goal" || kind === "program") found.push({ path, kind, how: "new" });
  }
  return found.toSorted(byPath);
}

/** Tests that were not there before: one that is run with the others can end them all. In order of path. */
export function newTests(before: CheckFiles, now: CheckFiles): Difference[] {
  const hadTests = [...before.values()].some(({ kind }) => kind === "test");
  if (!hadTests) return [];
  const added = [...now].filter(([path, { kind }]) => kind === "test" && !before.has(path));
  return added.map(([path, { kind }]): Difference => ({ path, kind, how: "new" })).toSorted(byPath);
}

function byPath(one: Difference, other: Difference): number {
  return one.path < other.path ? -1 : 1;
}

const empty = sha256(new Uint8Array());

/** All folders with a test or a definition somewhere below. */
function foldersOf(files: CheckFiles): Set<string> {
  const folders = new Set<string>();
  for (const [path, { kind }] of files) {
    if (kind === "program") continue;
    for (let folder = folderOf(path); !folders.has(folder); folder = folderOf(folder)) folders.add(folder);
  }
  return folders;
}

/** "" is the root, and its own folder. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
