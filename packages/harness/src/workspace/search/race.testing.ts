/** Searches under attack: while they run, another process swaps a folder they look into for a link to outside. */

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { asFailure } from "../../error.ts";
import { policyFrom } from "../../policy/rules.ts";
import { startFlipper } from "../fence/flip.testing.ts";
import { openFence } from "../fence/on-disk.ts";
import { ripgrep } from "./ripgrep.ts";
import { openDescriptors, plantTree, type Tree } from "../tree.testing.ts";
import { openWorkspace, type Workspace } from "../workspace.ts";

export type SearchAttack = {
  /** Hits by where their text came from. */
  inside: number;
  escaped: number;
  /** Searches that could not begin because the folder was a link or away at that moment. */
  refused: number;
  leaked: number;
  /** The proposals of ripgrep read by their path, as most agents do, until one escaped. */
  naive: { inside: number; escaped: number };
};

const signal = new AbortController().signal;
const files = 60;
const maxNaive = 300;

function plantAttacked(): Tree {
  const names = Array.from({ length: files }, (_, index) => `c/f${index}.txt`);
  const tree = plantTree(Object.fromEntries(names.map((name) => [`a/d/${name}`, "needle INSIDE\n".repeat(5)])));
  mkdirSync(path.join(tree.outside, "c"));
  for (const name of names) writeFileSync(path.join(tree.outside, name), "needle SECRET\n".repeat(5));
  symlinkSync(tree.outside, path.join(tree.root, "a/link"));
  return tree;
}

/** Searches from the root and within the attacked folder in turn, with and without a limit. */
export async function attackSearches(searches: number): Promise<SearchAttack> {
  const tree = plantAttacked();
  const fence = openFence(tree.root, policyFrom([{ name: "all", globs: ["**"], access: ["read"], decision: "allow" }]));
  const workspace = openWorkspace({ fence, gate: async () => ({ allowed: true, by: "rule" }), search: ripgrep("") });
  const before = openDescriptors();
  const flipper = await startFlipper(path.join(tree.root, "a/d"), path.join(tree.root, "a/link"));
  const result = { inside: 0, escaped: 0, refused: 0, leaked: 0, naive: { inside: 0, escaped: 0 } };
  try {
    for (let turn = 0; turn < searches; turn += 1) {
      const where = ["a/d", ".", "a/d/c", "a/link"][turn % 4];
      const texts = await searchOnce(workspace, where, turn % 3 === 0 ? undefined : 200);
      if (texts === undefined) result.refused += 1;
      for (const text of texts ?? []) result[text === "needle INSIDE" ? "inside" : "escaped"] += 1;
    }
    for (let turn = 0; turn < maxNaive && result.naive.escaped === 0; turn += 1) {
      for (const text of await searchNaively(tree.root)) {
        result.naive[text.startsWith("needle INSIDE") ? "inside" : "escaped"] += 1;
      }
    }
  } finally {
    await flipper.stop();
    result.leaked = openDescriptors() - before;
    fence.close();
    tree.remove();
  }
  return result;
}

/** Undefined where the place was not there to be searched. */
async function searchOnce(workspace: Workspace, where = ".", limit?: number): Promise<string[] | undefined> {
  const texts: string[] = [];
  try {
    for await (const hit of workspace.search({ pattern: "needle", path: where, limit }, signal)) {
      if ("text" in hit) texts.push(hit.text);
    }
    return texts;
  } catch (thrown) {
    if (asFailure(thrown).code === "E_NOT_FOUND") return undefined;
    throw thrown;
  }
}

async function searchNaively(root: string): Promise<string[]> {
  const texts: string[] = [];
  for await (const proposal of ripgrep("").search({ pattern: "needle", cwd: root, atRoot: true }, signal)) {
    if ("done" in proposal) continue;
    try {
      texts.push(readFileSync(path.join(root, proposal.path), "utf8"));
    } catch {
      // Away at that moment.
    }
  }
  return texts;
}
