import { spawnSync } from "node:child_process";
import { chmodSync, rmdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { openCover } from "./cover.ts";
import { runUntil, type Crash } from "./crash.testing.ts";
import { change, makeWorld, policy, put, treeOf, turnOf, worldIn, type World } from "./undo.testing.ts";

const never = new AbortController().signal;
const program = pathToFileURL(path.join(import.meta.dirname, "crash.testing.ts")).href;
/** More steps than there are. */
const most = 60;
/** Each step of an undo in the long run, each third one else. */
const stride = process.env["CROFT_LONG"] === "1" ? 1 : 3;

/** Whether the process was killed: false once the step lies behind its end. */
function isKilled(crash: Crash): boolean {
  const script = `const { ${runUntil.name}: run } = await import(${JSON.stringify(program)}); await run(${JSON.stringify(crash)});`;
  const ended = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    timeout: 30_000,
    encoding: "utf8",
  });
  expect([ended.stderr, ended.signal === "SIGKILL" || ended.status === 0]).toEqual(["", true]);
  return ended.signal === "SIGKILL";
}

const wanted = {
  "a.txt": "new a\n",
  "b/c.sh": "new c\n",
  "gone.txt": null,
  "made/deep/d.txt": "new d\n",
};

function start(): World {
  const world = makeWorld({
    "a.txt": "old a\n",
    "b/c.sh": "old c\n",
    "gone.txt": "old gone\n",
    "other.txt": "other\n",
  });
  chmodSync(path.join(world.project, "b/c.sh"), 0o755);
  put(world.project, "folder/in.txt", "in\n");
  for (const name of ["link", "to-file"]) symlinkSync("other.txt", path.join(world.project, name));
  return world;
}

/** A tool and a command in one turn; what it does to kinds and links no tool could do. */
async function work(world: World): Promise<void> {
  const { project, store } = world;
  const turn = world.undo.begin({ session: "s1", task: "Work", at: 0 });
  await change(world, turn, wanted);
  const cover = openCover({ store, root: project, policy });
  await cover.before(never);
  for (const name of ["link", "to-file", "folder/in.txt"]) rmSync(path.join(project, name));
  symlinkSync("a.txt", path.join(project, "link"));
  put(project, "to-file", "a file now\n");
  rmdirSync(path.join(project, "folder"));
  put(project, "folder", "a file now\n");
  chmodSync(path.join(project, "other.txt"), 0o600);
  await cover.after(turn, never);
  cover.close();
  turn.end();
}

/** Every file is as in one of the two, and there is nothing else but what waits to be renamed. */
function expectWhole(now: Record<string, string>, one: Record<string, string>, other: Record<string, string>): void {
  for (const [name, content] of Object.entries(now)) {
    if (!/\.croft-[0-9a-f]{16}\.tmp$/.test(name)) expect([one[name], other[name]], name).toContain(content);
  }
  const isFile = (tree: Record<string, string>, name: string): boolean => tree[name]?.startsWith("file") === true;
  for (const name of Object.keys(one))
    if (isFile(one, name) && isFile(other, name)) expect(Object.keys(now)).toContain(name);
}

/** Killed at every step there is, or every so many; how many there are. */
async function atEveryStep(by: number, crashed: (world: World, at: number) => Promise<boolean>): Promise<number> {
  for (let at = 1; at < most; at += by) {
    using world = start();
    if (!(await crashed(world, at))) return at - 1;
  }
  throw new Error("The process never came to its end.");
}

describe("after a kill -9 at every step", () => {
  test("of a turn: files are whole, the next start says which are new, and undo takes back the rest", async () => {
    using whole = start();
    await turnOf(whole, "Work", wanted);
    const all = treeOf(whole.project);
    const steps = await atEveryStep(1, async (world, at) => {
      const before = treeOf(world.project);
      const killed = isKilled({ base: world.base, what: "turn", at, wanted });
      const after = treeOf(world.project);
      expectWhole(after, before, all);
      const told = world.undo.recover();
      for (const one of told) {
        expect(one).toMatchObject({ number: 1, cause: "tool", task: "Crash" });
        expect([...one.old, ...one.new].sort()).toEqual([...Object.keys(wanted), "made", "made/deep"].sort());
        expect(one.new.filter((name) => name in before && after[name] === before[name])).toEqual([]);
      }
      expect(Object.keys(treeOf(world.project)).filter((name) => name.includes(".croft-"))).toEqual([]);
      expect(worldIn(world.base).undo.recover()).toEqual([]);
      await world.undo.undo(never);
      expect(treeOf(world.project)).toEqual(before);
      return killed;
    });
    expect(steps).toBeGreaterThan(8);
  }, 300_000);

  test.each(["undo", "redo"] as const)(
    "of an %s: files are whole, and doing it again completes it",
    async (what) => {
      const steps = await atEveryStep(stride, async (world, at) => {
        const before = treeOf(world.project);
        await work(world);
        const after = treeOf(world.project);
        if (what === "redo") await world.undo.undo(never);
        const killed = isKilled({ base: world.base, what, at, wanted: {} });
        expectWhole(treeOf(world.project), before, after);
        for (const one of world.undo.recover()) expect(one.cause).toBe(what);
        expect(Object.keys(treeOf(world.project)).filter((name) => name.includes(".croft-"))).toEqual([]);
        await world.undo[what](never);
        expect(treeOf(world.project)).toEqual(what === "undo" ? before : after);
        await world.undo[what === "undo" ? "redo" : "undo"](never);
        expect(treeOf(world.project)).toEqual(what === "undo" ? after : before);
        return killed;
      });
      expect(steps).toBeGreaterThan(8);
    },
    60_000,
  );
});
