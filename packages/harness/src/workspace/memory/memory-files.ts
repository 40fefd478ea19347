/**
 * Memory files: AGENTS.md and CLAUDE.md, and what they import. They are read through a fence and under its policy, past
 * the gate and the ledger: nobody is asked, so what the policy would ask about is left out.
 */

import { relative, sep } from "node:path";
import { asFailure } from "../../error.ts";
import type { Policy } from "../../policy/policy.ts";
import type { Fence } from "../fence.ts";
import { openFence } from "../fence/on-disk.ts";
import { readMemoryFile, type FoundMemory, type MemorySource } from "./memory-reader.ts";
import { pathIn } from "../place/place.ts";
import { ownersOf } from "../walk/repository.ts";

/**
 * What is nearest comes last. Each content is found once, whatever it is called and wherever it stands. Never throws.
 */
export interface MemoryFiles {
  /** From the repository's toplevel down to the root, both included. */
  around(): FoundMemory;
  /** Those in folders below the root. */
  inFolders(folders: readonly string[]): FoundMemory;
  /** The same places, with nothing found yet. */
  anew(): MemoryFiles;
}

const names = ["AGENTS.md", "CLAUDE.md"];

/** `toplevel`: the repository's folder above the root, if there is one. */
export function memoryFilesThrough(fence: Fence, toplevel: string | undefined): MemoryFiles {
  const source = { fence, within: ".", covers: () => true, trusted: trustIn(fence), known: new Set<string>() };
  return {
    around() {
      const above = toplevel === undefined ? none : readAbove(toplevel, source);
      return joined([above, readFolder(".", source)]);
    },
    inFolders: (folders) => joined(folders.map((folder) => readFolder(folder, source))),
    anew: () => memoryFilesThrough(fence, toplevel),
  };
}

const none: FoundMemory = Object.freeze({ files: [], leftOut: [] });

function joined(found: readonly FoundMemory[]): FoundMemory {
  return { files: found.flatMap(({ files }) => files), leftOut: found.flatMap(({ leftOut }) => leftOut) };
}

function readFolder(folder: string, source: MemorySource): FoundMemory {
  return joined(names.map((name) => readMemoryFile(pathIn(folder, name), source)));
}

/** In a shared folder anyone may leave a file: this user, the system, and whoever made the project are believed. */
function trustIn(fence: Fence): MemorySource["trusted"] {
  using root = fence.pin(".", "list");
  const { owner: maker } = root;
  return (owner) => owner === undefined || owner === process.getuid?.() || owner === 0 || owner === maker;
}

/**
 * By a fence of its own, for as long as it takes: that of the project reaches nothing above the root. What else stands
 * in the repository is none of the project's, so an import leads to other memory files on the way down, or into the
 * root.
 */
function readAbove(toplevel: string, source: MemorySource): FoundMemory {
  try {
    if (!ownersOf(toplevel).every(source.trusted)) return none;
    const within = relative(toplevel, source.fence.root).split(sep).join("/");
    const fence = openFence(toplevel, policyAround(source.fence.policy, within));
    try {
      const folders = [".", ...foldersAbove(within)];
      const own = new Set(folders.flatMap((folder) => names.map((name) => pathIn(folder, name))));
      const covers = (path: string): boolean => own.has(path) || path.startsWith(`${within}/`);
      return joined(folders.map((folder) => readFolder(folder, { ...source, fence, within, covers })));
    } finally {
      fence.close();
    }
  } catch (thrown) {
    return { files: [], leftOut: [asFailure(thrown).message] };
  }
}

/** The rules are about paths from the root; what does not lie in it is judged by its path from the toplevel. */
function policyAround(policy: Policy, within: string): Policy {
  const below = `${within}/`;
  return { judge: (path, access) => policy.judge(path.startsWith(below) ? path.slice(below.length) : path, access) };
}

/** `a/b/c` lies in `a` and `a/b`. */
export function foldersAbove(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}
