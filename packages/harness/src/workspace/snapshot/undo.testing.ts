/** A project, its undo and its fence in temporary folders, for the tests of this folder. */

// oxlint-disable-next-line no-restricted-imports -- a command that another user runs has to be run somewhere
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { policyFrom, type RulePolicy } from "../../policy/rules.ts";
import type { Change } from "../change.ts";
import type { Fence } from "../fence.ts";
import { openFence } from "../fence/on-disk.ts";
import type { OpenTurn, Undo } from "../snapshot.ts";
import { sha256 } from "./objects.ts";
import { openCover } from "./cover.ts";
import { openUndo, type UndoOptions } from "./undo.ts";

export type World = { base: string; project: string; store: string; undo: Undo; fence: Fence } & Disposable;

export const policy: RulePolicy = policyFrom([
  { name: "all", globs: ["**"], access: ["read", "write"], decision: "allow" },
  { name: "git internals", globs: [".git"], access: ["read", "write"], decision: "deny" },
]);

/** Gone when it is disposed. */
export function makeWorld(files: Readonly<Record<string, string>> = {}, options: Partial<UndoOptions> = {}): World {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), "croft-undo-")));
  const project = path.join(base, "project");
  mkdirSync(project);
  for (const [name, content] of Object.entries(files)) put(project, name, content);
  return { ...worldIn(base, options), [Symbol.dispose]: () => remove(base) };
}

/** Whoever is not root first opens the folders that a test has shut. */
function remove(base: string): void {
  execFileSync("chmod", ["-R", "u+rwX", base]);
  rmSync(base, { recursive: true, force: true });
}

/** The same folders once more, as another process sees them. */
export function worldIn(base: string, options: Partial<UndoOptions> = {}): Omit<World, typeof Symbol.dispose> {
  const project = path.join(base, "project");
  const store = path.join(base, "store");
  return {
    base,
    project,
    store,
    undo: openUndo({ store, root: project, ...options }),
    fence: openFence(project, policy),
  };
}

/** Writes a file as the user would. */
export function put(project: string, name: string, content: string | Uint8Array, mode?: number): void {
  const file = path.join(project, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  if (mode !== undefined) chmodSync(file, mode);
}

export type Wanted = { content: string | Uint8Array | null; mode?: number | undefined };

/** Changes files as a tool does: planned, kept, applied. `null` removes. */
export async function change(
  world: Pick<World, "fence" | "project">,
  turn: OpenTurn,
  wanted: Readonly<Record<string, Wanted | string | null>>,
): Promise<void> {
  const changes = Object.entries(wanted).map(([name, one]): Change => {
    const { content, mode } = typeof one === "string" || one === null ? { content: one, mode: undefined } : one;
    const there = lstatSync(path.join(world.project, name), { throwIfNoEntry: false });
    const before = there === undefined ? null : sha256(readFileSync(path.join(world.project, name)));
    return { path: name, before, after: typeof content === "string" ? Buffer.from(content) : content, mode };
  });
  using plan = await world.fence.plan(changes);
  const keeping = turn.keep(plan.files);
  try {
    plan.apply();
  } catch (thrown) {
    keeping.dropped();
    throw thrown;
  }
  keeping.landed();
}

/** One turn from its begin to its end. */
export async function turnOf(
  world: World,
  task: string,
  ...steps: Readonly<Record<string, Wanted | string | null>>[]
): Promise<void> {
  const turn = world.undo.begin({ session: "s1", task, at: 1_000 });
  for (const step of steps) await change(world, turn, step);
  turn.end();
}

/** Runs a shell script as a command of a turn, and undoes that. In a process of its own it may be another user's. */
export async function commanded(base: string, script: string): Promise<void> {
  const { undo, store, project } = worldIn(base);
  const signal = new AbortController().signal;
  const cover = openCover({ store, root: project, policy });
  const turn = undo.begin({ session: "s1", task: script, at: 0 });
  await cover.before(signal);
  execFileSync("sh", ["-euc", script], { cwd: project });
  await cover.after(turn, signal);
  cover.close();
  turn.end();
  const { left } = await undo.undo(signal);
  if (left.length > 0) throw new Error(JSON.stringify(left));
}

/** All that a folder holds, as one value: kind and mode, then bytes or target. */
export function treeOf(folder: string, below: string = ""): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(path.join(folder, below)).sort()) {
    const relative = path.posix.join(below, name);
    const place = path.join(folder, relative);
    const found = lstatSync(place);
    const mode = (found.mode & 0o7777).toString(8);
    if (found.isSymbolicLink()) tree[relative] = `link ${readlinkSync(place)}`;
    else if (found.isDirectory()) Object.assign(tree, { [relative]: `folder ${mode}` }, treeOf(folder, relative));
    else tree[relative] = `file ${mode} ${readFileSync(place, "latin1")}`;
  }
  return tree;
}
