/**
 * The fence under attack: reads and listings while another process swaps a folder, or a file, for a link to outside.
 */

import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { asFailure } from "../../error.ts";
import { policyFrom } from "../../policy/rules.ts";
import type { Fence } from "../fence.ts";
import { startFlipper } from "./flip.testing.ts";
import { fenceBy } from "./on-disk.ts";
import type { Root } from "../place/place.ts";
import { openDescriptors, plantTree, type Tree } from "../tree.testing.ts";

type Outcome = { inside: number; refused: number; escaped: number };
const nothing: Outcome = { inside: 0, refused: 0, escaped: 0 };
export type Attack = { readonly reads: number; readonly listings: number };
export type AttackResult = {
  /** Escapes by what was done. */
  readonly escaped: Readonly<Record<string, number>>;
  /** Descriptors that were left open. */
  readonly leaked: number;
  /** Whether the attack was real: both states were met, and whoever checks the real path and then opens fell for it. */
  readonly real: {
    readonly inside: boolean;
    readonly refused: boolean;
    readonly listed: boolean;
    readonly naive: boolean;
  };
};

/** A real attack that came to nothing. */
export const nothingEscaped: AttackResult = {
  escaped: {
    "a/d/c/f.txt": 0,
    "a/link-to-folder/c/f.txt": 0,
    "a/d/../f.txt": 0,
    "list .": 0,
    "list a/d/c": 0,
    "a/f.txt": 0,
    "a/link-to-file": 0,
  },
  leaked: 0,
  real: { inside: true, refused: true, listed: true, naive: true },
};

const policy = policyFrom([{ name: "all", globs: ["**"], access: ["read"], decision: "allow" }]);

/** Names and texts differ inside and outside, so that one glance tells where something came from. */
function plantAttacked(): Tree {
  const tree = plantTree({ "a/d/c/inside.txt": "INSIDE", "a/d/c/f.txt": "INSIDE", "a/f.txt": "INSIDE" });
  mkdirSync(path.join(tree.outside, "c"));
  writeFileSync(path.join(tree.outside, "c/outside.txt"), "SECRET");
  writeFileSync(path.join(tree.outside, "c/f.txt"), "SECRET");
  writeFileSync(path.join(path.dirname(tree.outside), "f.txt"), "SECRET");
  symlinkSync(tree.outside, path.join(tree.root, "a/link-to-folder"));
  symlinkSync("../../outside/secret.txt", path.join(tree.root, "a/link-to-file"));
  return tree;
}

/** Runs the whole attack on a mechanism. Every outcome is counted; what is neither inside nor refused has escaped. */
export async function attack(mechanism: (folder: string) => Root, { reads, listings }: Attack): Promise<AttackResult> {
  const tree = plantAttacked();
  const fence = fenceBy(mechanism, tree.root, policy);
  const outcomes: Record<string, Outcome> = {};
  let naive = nothing;
  try {
    const leakedByFolder = await whileFlipping(tree, "a/d", "a/link-to-folder", async () => {
      for (const asked of ["a/d/c/f.txt", "a/link-to-folder/c/f.txt", "a/d/../f.txt"]) {
        outcomes[asked] = repeat(reads, () => read(fence, asked));
      }
      outcomes["list ."] = await listRepeatedly(fence, ".", listings);
      outcomes["list a/d/c"] = await listRepeatedly(fence, "a/d/c", listings);
      naive = untilEscaped(50_000, () => readNaively(tree.root, "a/d/c/f.txt"));
    });
    const leakedByFile = await whileFlipping(tree, "a/f.txt", "a/link-to-file", async () => {
      for (const asked of ["a/f.txt", "a/link-to-file"]) outcomes[asked] = repeat(reads, () => read(fence, asked));
    });
    const { inside, refused } = outcomes["a/d/c/f.txt"] ?? nothing;
    const listed = (outcomes["list ."] ?? nothing).inside > 0;
    return {
      escaped: Object.fromEntries(Object.entries(outcomes).map(([what, outcome]) => [what, outcome.escaped])),
      leaked: leakedByFolder + leakedByFile,
      real: { inside: inside > 0, refused: refused > 0, listed, naive: naive.escaped > 0 },
    };
  } finally {
    fence.close();
    tree.remove();
  }
}

/** Gives the number of descriptors that were left open. */
async function whileFlipping(tree: Tree, one: string, other: string, act: () => Promise<void>): Promise<number> {
  const flipper = await startFlipper(path.join(tree.root, one), path.join(tree.root, other));
  try {
    const before = openDescriptors();
    await act();
    return openDescriptors() - before;
  } finally {
    await flipper.stop();
  }
}

function read(fence: Fence, asked: string): keyof Outcome {
  try {
    using file = fence.pin(asked, "read");
    return new TextDecoder().decode(fence.content(file, 100)) === "INSIDE" ? "inside" : "escaped";
  } catch (thrown) {
    return asFailure(thrown).code === "E_NOT_FOUND" ? "refused" : "escaped";
  }
}

/** What tutorials do. */
function readNaively(root: string, asked: string): keyof Outcome {
  try {
    const file = path.join(root, asked);
    if (!realpathSync(file).startsWith(root + path.sep)) return "refused";
    return readFileSync(file, "utf8") === "INSIDE" ? "inside" : "escaped";
  } catch {
    return "refused";
  }
}

function repeat(times: number, act: () => keyof Outcome): Outcome {
  const outcome = { ...nothing };
  for (let turn = 0; turn < times; turn += 1) outcome[act()] += 1;
  return outcome;
}

function untilEscaped(max: number, act: () => keyof Outcome): Outcome {
  const outcome = { ...nothing };
  for (let turn = 0; turn < max && outcome.escaped === 0; turn += 1) outcome[act()] += 1;
  return outcome;
}

/** A listing is inside if it met the folder, refused if the folder was a link or away at that moment. */
async function listRepeatedly(fence: Fence, asked: string, times: number): Promise<Outcome> {
  const outcome = { ...nothing };
  for (let turn = 0; turn < times; turn += 1) outcome[await listOnce(fence, asked)] += 1;
  return outcome;
}

async function listOnce(fence: Fence, asked: string): Promise<keyof Outcome> {
  const names: string[] = [];
  try {
    using folder = fence.pin(asked, "list");
    for await (const item of fence.list(folder, {}, new AbortController().signal)) {
      if ("path" in item) names.push(path.basename(item.path));
    }
  } catch (thrown) {
    return asFailure(thrown).code === "E_NOT_FOUND" ? "refused" : "escaped";
  }
  if (names.some((name) => name.includes("outside") || name.includes("secret"))) return "escaped";
  return names.includes("inside.txt") ? "inside" : "refused";
}
