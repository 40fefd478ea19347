/**
 * The fence under attack while it writes: updates, new files and folders, removals, while another process swaps a
 * folder, or the file itself, for a link to outside.
 */

import { hash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { asFailure } from "../../error.ts";
import { policyFrom } from "../../policy/rules.ts";
import type { Change } from "../change.ts";
import type { Fence } from "../fence.ts";
import type { Root } from "../place/place.ts";
import { openDescriptors, plantTree, snapshotOf, type Tree } from "../tree.testing.ts";
import { startExchanger } from "./exchange.testing.ts";
import { fenceBy } from "./on-disk.ts";

type Counts = { landed: number; refused: number; escaped: number };
export type WritingAttack = {
  /** Times that something outside was changed, by what was done. */
  readonly escaped: Readonly<Record<string, number>>;
  /** Failures that are no answer to a swapped folder or file. */
  readonly odd: readonly string[];
  /** Descriptors left open, temporary files left behind. */
  readonly left: { readonly descriptors: number; readonly temporaries: number };
  /** Whether the attack was real: changes landed, changes were refused, and whoever checks and then writes fell for it. */
  readonly real: Readonly<Record<"landed" | "refused" | "naiveFolder" | "naiveFile", boolean>>;
};

/** A real attack that came to nothing. */
export const nothingWritten: WritingAttack = {
  escaped: {
    "update a/d/c/f.txt": 0,
    "make and remove a/d/c/new.txt": 0,
    "make folders in a/d/c": 0,
    "make and remove a/link-to-folder/c/new.txt": 0,
    "make and remove a/d/../new.txt": 0,
    "update a/f.txt": 0,
    "remove and make a/f.txt": 0,
    "update a/link-to-file": 0,
  },
  odd: [],
  left: { descriptors: 0, temporaries: 0 },
  real: { landed: true, refused: true, naiveFolder: true, naiveFile: true },
};

const policy = policyFrom([{ name: "all", globs: ["**"], access: ["read", "write"], decision: "allow" }]);
const inside = new TextEncoder().encode("INSIDE");
const insideHash = hash("sha256", inside);
const expectedCodes = new Set(["E_NOT_FOUND", "E_STALE", "E_EXISTS", "E_NOT_FOLDER", "E_IS_LINK"]);

/** Runs the whole attack on a mechanism, `times` of each kind or more. */
export async function attackWrites(mechanism: (folder: string) => Root, times: number): Promise<WritingAttack> {
  const tree = plantAttacked();
  const fence = fenceBy(mechanism, tree.root, policy);
  const counts: Record<string, Counts> = {};
  const odd = new Set<string>();
  const guard = outsideGuard(tree);
  const run = async (what: string, changeOf: (turn: number) => Change, mend = (): void => {}): Promise<void> => {
    const count = { landed: 0, refused: 0, escaped: 0 };
    counts[what] = count;
    // On a busy machine one side can be long without a turn: both outcomes are waited for, not for ever.
    const isOneSided = (): boolean => count.landed === 0 || count.refused === 0;
    for (let turn = 0; turn < times || (isOneSided() && turn < 20 * times); turn += 1) {
      mend();
      const code = await change(fence, changeOf(turn));
      if (code === "landed") count.landed += 1;
      else if (expectedCodes.has(code)) count.refused += 1;
      else odd.add(`${what}: ${code}`);
      if (guard.isChanged()) count.escaped += 1;
    }
  };
  let [naiveFolder, naiveFile] = [false, false];
  try {
    const before = openDescriptors();
    await whileFlipping(tree, "a/d", "a/link-to-folder", async () => {
      await run("update a/d/c/f.txt", () => updates("a/d/c/f.txt"));
      for (const file of ["a/d/c/new.txt", "a/link-to-folder/c/new.txt", "a/d/../new.txt"]) {
        await run(`make and remove ${file}`, (turn) => (turn % 2 === 0 ? makes(file) : removes(file)));
      }
      await run("make folders in a/d/c", (turn) => makes(`a/d/c/${turn}/x`));
      naiveFolder = untilChanged(guard, () => writeWhereRealpathSays(tree.root, "a/d/c/f.txt"));
    });
    await whileFlipping(tree, "a/f.txt", "a/link-to-file", async () => {
      const mend = (): void => mendPair(path.join(tree.root, "a/f.txt"), path.join(tree.root, "a/link-to-file"));
      for (const file of ["a/f.txt", "a/link-to-file"]) await run(`update ${file}`, () => updates(file), mend);
      await run("remove and make a/f.txt", (turn) => (turn % 2 === 0 ? removes("a/f.txt") : makes("a/f.txt")), mend);
      naiveFile = untilChanged(guard, () => {
        mend();
        writeWhatIsNoLink(path.join(tree.root, "a/f.txt"));
      });
    });
    const all = Object.values(counts);
    return {
      escaped: Object.fromEntries(Object.entries(counts).map(([what, { escaped }]) => [what, escaped])),
      odd: [...odd],
      left: { descriptors: openDescriptors() - before, temporaries: temporariesIn(tree.root) },
      real: {
        landed: all.every(({ landed }) => landed > 0),
        refused: all.every(({ refused }) => refused > 0),
        naiveFolder,
        naiveFile,
      },
    };
  } finally {
    fence.close();
    tree.remove();
  }
}

function plantAttacked(): Tree {
  const tree = plantTree({ "a/d/c/f.txt": "INSIDE", "a/f.txt": "INSIDE" });
  mkdirSync(path.join(tree.outside, "c"));
  writeFileSync(path.join(tree.outside, "c/f.txt"), "INSIDE");
  writeFileSync(path.join(tree.outside, "secret.txt"), "INSIDE");
  symlinkSync(tree.outside, path.join(tree.root, "a/link-to-folder"));
  symlinkSync("../../outside/secret.txt", path.join(tree.root, "a/link-to-file"));
  return tree;
}

function makes(file: string): Change {
  return { path: file, before: null, after: inside };
}

/** With the very bytes that are there, outside too: only the place protects what is outside. */
function updates(file: string): Change {
  return { path: file, before: insideHash, after: inside };
}

function removes(file: string): Change {
  return { path: file, before: insideHash, after: null };
}

async function change(fence: Fence, planned: Change): Promise<string> {
  try {
    using plan = await fence.plan([planned]);
    plan.apply();
    return "landed";
  } catch (thrown) {
    return asFailure(thrown).code;
  }
}

type Guard = { isChanged(): boolean };

/** Notices whatever changes outside, by inode and time too: each look starts from what it finds. */
function outsideGuard(tree: Tree): Guard {
  const files = ["c/f.txt", "secret.txt"].map((name) => path.join(tree.outside, name));
  const look = (): string =>
    JSON.stringify([
      readdirSync(path.dirname(tree.outside)),
      readdirSync(tree.outside),
      readdirSync(path.join(tree.outside, "c")),
      files.map((file) => {
        const { ino, mtimeMs } = lstatSync(file, { throwIfNoEntry: false }) ?? {};
        return [ino, mtimeMs];
      }),
    ]);
  let last = look();
  return {
    isChanged() {
      const now = look();
      const changed = now !== last;
      last = now;
      return changed;
    },
  };
}

function untilChanged(guard: Guard, act: () => void): boolean {
  for (let turn = 0; turn < 50_000; turn += 1) {
    act();
    if (guard.isChanged()) return true;
  }
  return false;
}

/** What tutorials do. */
function writeWhereRealpathSays(root: string, asked: string): void {
  try {
    const file = path.join(root, asked);
    if (realpathSync(file).startsWith(root + path.sep)) writeFileSync(file, inside);
  } catch {
    // It was away at that moment.
  }
}

function writeWhatIsNoLink(file: string): void {
  try {
    if (!lstatSync(file).isSymbolicLink()) writeFileSync(file, inside, { flag: "r+" });
  } catch {
    // It was away at that moment.
  }
}

/**
 * A change may meet the link, which then is replaced: at the last moment a rename takes the place of whatever bears the
 * name. For the attack to go on there must be a file and a link again. They are exchanged meanwhile, so one look lies.
 */
function mendPair(file: string, link: string): void {
  const looks = Array.from({ length: 5 }, () =>
    [file, link].map((name) => lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink()),
  );
  if (looks.some((look) => look.includes(true) && look.includes(false))) return;
  rmSync(file, { force: true });
  rmSync(link, { force: true });
  writeFileSync(file, inside);
  symlinkSync("../../outside/secret.txt", link);
}

async function whileFlipping(tree: Tree, one: string, other: string, act: () => Promise<void>): Promise<void> {
  const flipper = await startExchanger(path.join(tree.root, one), path.join(tree.root, other));
  try {
    await act();
  } finally {
    await flipper.stop();
  }
}

function temporariesIn(root: string): number {
  return Object.keys(snapshotOf(root)).filter((name) => name.endsWith(".tmp")).length;
}
