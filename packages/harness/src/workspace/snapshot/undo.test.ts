import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, unlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Changed, Reversal, State } from "../snapshot.ts";
import { sha256 } from "./objects.ts";
import { change, makeWorld, put, treeOf, turnOf, worldIn } from "./undo.testing.ts";

const never = new AbortController().signal;
const file = (content: string, mode = 0o644): State => ({ kind: "file", hash: sha256(Buffer.from(content)), mode });
const summary = ({ turn, files, left }: Reversal) => ({
  turn: turn?.number,
  restored: files.map((one) => one.path).sort(),
  left: left.map((one) => one.path).sort(),
});

describe("undo", () => {
  test("puts back what a turn changed, made, removed and moved, and redo takes that back", async () => {
    using world = makeWorld({ "a.txt": "one\n", "gone.txt": "bye\n", "old/name.sh": "#!/bin/sh\n" });
    chmodSync(path.join(world.project, "old/name.sh"), 0o755);
    const before = treeOf(world.project);
    await turnOf(
      world,
      "Rework all",
      { "a.txt": "two\n", "new/deep/b.txt": "new\n" },
      { "gone.txt": null, "old/name.sh": null, "moved.sh": { content: "#!/bin/sh\n", mode: 0o755 } },
      { "a.txt": "three\n" },
    );
    const after = treeOf(world.project);
    const undone = await world.undo.undo(never);
    expect(treeOf(world.project)).toEqual(before);
    expect(summary(undone)).toEqual({
      turn: 1,
      restored: ["a.txt", "gone.txt", "moved.sh", "new", "new/deep", "new/deep/b.txt", "old/name.sh"],
      left: [],
    });
    const redone = await world.undo.redo(never);
    expect(treeOf(world.project)).toEqual(after);
    expect(summary(redone)).toEqual(summary(undone));
  });

  test("goes back turn by turn, and redo forward again, until a new turn has landed", async () => {
    using world = makeWorld({ "a.txt": "0" });
    const states = [treeOf(world.project)];
    for (const content of ["1", "2", "3"]) {
      await turnOf(world, `Write ${content}`, { "a.txt": content });
      states.push(treeOf(world.project));
    }
    for (const at of [2, 1, 0]) {
      await world.undo.undo(never);
      expect(treeOf(world.project)).toEqual(states[at]);
    }
    expect(summary(await world.undo.undo(never))).toEqual({ turn: undefined, restored: [], left: [] });
    for (const at of [1, 2]) {
      await world.undo.redo(never);
      expect(treeOf(world.project)).toEqual(states[at]);
    }
    await turnOf(world, "Another", { "b.txt": "b" });
    expect(summary(await world.undo.redo(never))).toEqual({ turn: undefined, restored: [], left: [] });
    await world.undo.undo(never);
    await world.undo.undo(never);
    expect(treeOf(world.project)).toEqual(states[1]);
  });

  test.each<[string, (file: string) => void]>([
    ["bytes", (name) => put(path.dirname(name), path.basename(name), "mine\n")],
    ["mode", (name) => chmodSync(name, 0o600)],
    ["absence", (name) => unlinkSync(name)],
    ["kind", (name) => (unlinkSync(name), symlinkSync("b.txt", name))],
    [
      "kind of what it lies in",
      (name) => (rmSync(path.dirname(name), { recursive: true }), symlinkSync("/", path.dirname(name))),
    ],
  ])("leaves alone a file whose %s the user changed since, says so, and puts the others back", async (_, touch) => {
    using world = makeWorld({ "src/a.txt": "one\n", "b.txt": "one\n" });
    await turnOf(world, "Edit", { "src/a.txt": "two\n", "b.txt": "two\n" });
    touch(path.join(world.project, "src/a.txt"));
    const users = treeOf(world.project);
    const undone = await world.undo.undo(never);
    expect(summary(undone)).toEqual({ turn: 1, restored: ["b.txt"], left: ["src/a.txt"] });
    expect(treeOf(world.project)).toEqual({ ...users, "b.txt": "file 644 one\n" });
    expect(world.undo.turns().map(({ state }) => state)).toEqual(["partly"]);
  });

  test.each(["kept", "staged", "removed"])(
    "leaves alone a file that the user changes while undo is at work, when it has just been %s",
    async (moment) => {
      using world = makeWorld({ "a.txt": "one\n", "b.txt": "one\n" });
      await turnOf(world, "Edit", { "a.txt": "two\n", "b.txt": "two\n", "new.txt": "new\n" });
      let isFirst = true;
      const observe = (did: string): void => {
        if (did !== moment || !isFirst) return;
        isFirst = false;
        put(world.project, "a.txt", "mine\n");
      };
      const { undo } = worldIn(world.base, { observe });
      expect(summary(await undo.undo(never))).toEqual({ turn: 1, restored: ["b.txt", "new.txt"], left: ["a.txt"] });
      expect(treeOf(world.project)).toEqual({ "a.txt": "file 644 mine\n", "b.txt": "file 644 one\n" });
    },
  );

  test.each(["...", ".. ", ". /a.txt", "\u200b", "..\u200c/a.txt"])(
    "takes back a file with an odd name, and all that was changed with it: %j",
    async (name) => {
      using world = makeWorld({ "a.txt": "one" });
      await turnOf(world, "Edit", { "a.txt": "two", [name]: "odd" });
      await world.undo.undo(never);
      expect(treeOf(world.project)).toEqual({ "a.txt": "file 644 one" });
    },
  );

  test("what the system hindered is put back by the next undo, and by the next redo", async () => {
    // A file that is swapped at the last moment stands for all that fails between the look and the rename.
    const hindered = new Set<string>();
    const observe = (did: string, name: string): void => {
      if (did === "staged" && hindered.delete(name)) put(world.project, name, "swapped");
    };
    using world = makeWorld({ "a.txt": "1", "b.txt": "1", "c.txt": "0" }, { observe });
    await turnOf(world, "First", { "c.txt": "1" });
    const before = treeOf(world.project);
    await turnOf(world, "Second", { "a.txt": "2", "b.txt": "2" });
    const after = treeOf(world.project);
    const left = [{ path: "a.txt", reason: expect.stringMatching(/changed at this very moment/), again: true }];

    hindered.add("a.txt");
    expect(await world.undo.undo(never)).toMatchObject({ turn: { number: 2 }, files: [{ path: "b.txt" }], left });
    expect(world.undo.turns().map(({ state }) => state)).toEqual(["done", "partly"]);
    put(world.project, "a.txt", "2");
    expect(summary(await world.undo.undo(never))).toEqual({ turn: 2, restored: ["a.txt", "b.txt"], left: [] });
    expect(treeOf(world.project)).toEqual(before);

    hindered.add("a.txt");
    expect(await world.undo.redo(never)).toMatchObject({ turn: { number: 2 }, files: [{ path: "b.txt" }], left });
    put(world.project, "a.txt", "1");
    expect(summary(await world.undo.redo(never))).toEqual({ turn: 2, restored: ["a.txt", "b.txt"], left: [] });
    expect(treeOf(world.project)).toEqual(after);
    expect(summary(await world.undo.redo(never))).toEqual({ turn: undefined, restored: [], left: [] });
    expect(world.undo.turns().map(({ state }) => state)).toEqual(["done", "done"]);
  });

  test("a file that the user removed after an undo that was hindered stays removed", async () => {
    const hindered = new Set(["a.txt"]);
    const observe = (did: string, name: string): void => {
      if (did === "staged" && hindered.delete(name)) put(world.project, name, "swapped");
    };
    using world = makeWorld({ "a.txt": "1" }, { observe });
    await turnOf(world, "Edit", { "a.txt": "2" });
    await world.undo.undo(never);
    unlinkSync(path.join(world.project, "a.txt"));
    expect(summary(await world.undo.undo(never))).toEqual({ turn: 1, restored: [], left: ["a.txt"] });
    expect(treeOf(world.project)).toEqual({});
  });

  test("gives both versions of a file that was left alone", async () => {
    using world = makeWorld({ "a.txt": "one\n" });
    await turnOf(world, "Edit", { "a.txt": "two\n" });
    put(world.project, "a.txt", "mine\n");
    await world.undo.undo(never);
    expect(await world.undo.versions("a.txt")).toEqual({
      path: "a.txt",
      turn: 1,
      now: Uint8Array.from(Buffer.from("mine\n")),
      before: Buffer.from("one\n"),
      diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-mine\n+one\n",
      kept: path.join(world.store, "000001/objects", sha256(Buffer.from("one\n"))),
    });
  });

  test("tells what a session has changed in all, from before its first change to what is there now", async () => {
    using world = makeWorld({ "a.txt": "one\n", "b.txt": "b\n", "c.txt": "c\n" });
    await turnOf(world, "First", { "a.txt": "two\n", "b.txt": "changed\n" });
    await turnOf(world, "Second", { "a.txt": "three\n", "new/d.txt": "d\n" });
    put(world.project, "b.txt", "b\n"); // as it was
    const session = world.undo.turns()[0]?.session ?? "";
    const other = world.undo.begin({ session: "another", task: "Elsewhere", at: 0 });
    await change(world, other, { "c.txt": "other\n" });
    other.end();
    expect(await world.undo.since(session)).toEqual([
      { path: "a.txt", diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+three\n" },
      { path: "new/d.txt", diff: "--- /dev/null\n+++ b/new/d.txt\n@@ -0,0 +1 @@\n+d\n" },
    ]);
    await world.undo.undo(never);
    expect((await world.undo.since("another")).map(({ path }) => path)).toEqual([]);
  });

  test("does not take back what the user did to a file between two changes of one turn", async () => {
    using world = makeWorld({ "a.txt": "one\n" });
    const turn = world.undo.begin({ session: "s1", task: "Edit twice", at: 0 });
    await change(world, turn, { "a.txt": "two\n" });
    put(world.project, "a.txt", "two, and mine\n");
    await change(world, turn, { "a.txt": "three, and mine\n" });
    turn.end();
    await world.undo.undo(never);
    expect(treeOf(world.project)).toEqual({ "a.txt": "file 644 two, and mine\n" });
  });

  test("keeps a folder that croft made and the user put something into", async () => {
    using world = makeWorld();
    await turnOf(world, "Make", { "new/a.txt": "a" });
    put(world.project, "new/mine.txt", "mine");
    expect(summary(await world.undo.undo(never))).toEqual({ turn: 1, restored: ["new/a.txt"], left: [] });
    expect(Object.keys(treeOf(world.project))).toEqual(["new", "new/mine.txt"]);
  });

  test("knows the turns with their net changes and states", async () => {
    using world = makeWorld({ "a.txt": "one" });
    await turnOf(world, "First line\nand more", { "a.txt": "two" }, { "a.txt": "three" });
    await turnOf(world, "Back and forth", { "b.txt": "b" }, { "b.txt": null });
    await turnOf(world, "Nothing at all");
    const files: Changed[] = [{ path: "a.txt", before: file("one"), after: file("three") }];
    const turn = { session: "s1", task: "First line", at: 1000, number: 1, files };
    expect(world.undo.turns()).toEqual([{ ...turn, state: "done" }]);
    await world.undo.undo(never);
    expect(world.undo.turns()).toEqual([{ ...turn, state: "undone" }]);
    await world.undo.redo(never);
    expect(world.undo.turns()).toEqual([{ ...turn, state: "done" }]);
  });

  test("keeps what it keeps for this user alone", async () => {
    using world = makeWorld({ "a.txt": "one" });
    await turnOf(world, "Edit", { "a.txt": "two" });
    const modes = readdirSync(world.store, { recursive: true, encoding: "utf8" }).map((name) => {
      const found = statSync(path.join(world.store, name));
      return [found.isDirectory(), (found.mode & 0o777).toString(8)].join(" ");
    });
    expect(new Set(modes)).toEqual(new Set(["true 700", "false 600"]));
    expect(statSync(world.store).mode & 0o777).toBe(0o700);
  });

  test("a turn whose changes were all dropped leaves nothing", async () => {
    using world = makeWorld({ "a.txt": "one" });
    const turn = world.undo.begin({ session: "s1", task: "Fail", at: 0 });
    using plan = await world.fence.plan([
      { path: "a.txt", before: sha256(Buffer.from("one")), after: Buffer.from("two") },
    ]);
    turn.keep(plan.files).dropped();
    turn.end();
    expect(readdirSync(world.store)).toEqual([]);
  });

  test("does not take back what a turn is still changing", async () => {
    using world = makeWorld({ "a.txt": "one" });
    const turn = world.undo.begin({ session: "s1", task: "Edit", at: 0 });
    const plan = await world.fence.plan([
      { path: "a.txt", before: sha256(Buffer.from("one")), after: Buffer.from("two") },
    ]);
    turn.keep(plan.files);
    await expect(world.undo.undo(never)).rejects.toMatchObject({ code: "E_TURN_RUNNING" });
    expect(world.undo.recover()).toEqual([]);
    plan[Symbol.dispose]();
    mkdirSync(path.join(world.project, "x"));
  });
});
