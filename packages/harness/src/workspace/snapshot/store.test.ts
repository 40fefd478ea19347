import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { seal } from "../../seal.ts";
import { sha256 } from "./objects.ts";
import { makeWorld, put, treeOf, turnOf, worldIn, type World } from "./undo.testing.ts";

const never = new AbortController().signal;
const linesOf = (world: World, record = "000001"): string => path.join(world.store, record, "lines.jsonl");

describe("what undo keeps", () => {
  test("survives lines that are torn, foreign or altered", async () => {
    using world = makeWorld({ "a.txt": "one" });
    await turnOf(world, "Edit", { "a.txt": "two" }, { "b.txt": "b" });
    const lines = readFileSync(linesOf(world), "utf8").trimEnd().split("\n");
    const altered = lines.map((line) => line.replace(/"task":"Edit"/, '"task":"Evil"').replace(/"id":1/, '"id":7'));
    writeFileSync(
      linesOf(world),
      [
        "\0\0\0",
        lines[0],
        '{"type":"keep"',
        ...altered.slice(0, 1),
        ...lines.slice(1),
        "not ours",
        lines[1]?.slice(0, 40),
      ].join("\n"),
    );
    expect(world.undo.turns()).toMatchObject([{ task: "Edit", files: [{ path: "a.txt" }, { path: "b.txt" }] }]);
    await world.undo.undo(never);
    expect(treeOf(world.project)).toEqual({ "a.txt": "file 644 one" });
  });

  test.each(["../outside.txt", "/etc/outside.txt", ".git/config", "sub/.GIT/config", "a//b", "a/./b", "a\0b"])(
    "names no place beyond the project or in git's folder: %j",
    async (name) => {
      using world = makeWorld({ "a.txt": "one" });
      await turnOf(world, "Edit", { "a.txt": "two" });
      const files = [{ path: name, before: null, after: { kind: "folder" } }];
      appendFileSync(
        linesOf(world),
        `${seal(JSON.stringify({ type: "keep", id: 9, cause: "tool", files, temporaries: [] }))}\n`,
      );
      expect(world.undo.turns()).toMatchObject([{ files: [{ path: "a.txt" }] }]);
    },
  );

  test("is not put back where it is no longer what was kept; the rest is", async () => {
    using world = makeWorld({ "a.txt": "one", "b.txt": "one more" });
    await turnOf(world, "Edit", { "a.txt": "two", "b.txt": "two" });
    writeFileSync(path.join(world.store, "000001/objects", sha256(Buffer.from("one"))), "bad");
    const { left } = await world.undo.undo(never);
    expect(left).toEqual([{ path: "a.txt", reason: expect.stringMatching(/no longer kept whole/) }]);
    expect(treeOf(world.project)).toEqual({ "a.txt": "file 644 two", "b.txt": "file 644 one more" });
  });

  test("goes oldest first beyond a number of records, or of bytes; the last one stays", async () => {
    using world = makeWorld({ "a.txt": "0" }, { limits: { records: 3, bytes: 5_000 } });
    for (const content of ["1", "2", "3", "4", "5"]) await turnOf(world, content, { "a.txt": content });
    expect(readdirSync(world.store)).toEqual(["000003", "000004", "000005"]);
    await turnOf(world, "big", { "big.txt": "b".repeat(4_000) });
    expect(readdirSync(world.store)).toEqual(["000004", "000005", "000006"]);
    await turnOf(world, "bigger", { "big.txt": "c".repeat(4_900) });
    expect(readdirSync(world.store)).toEqual(["000007"]);
    await world.undo.undo(never);
    expect(treeOf(world.project)).toMatchObject({ "a.txt": "file 644 5", "big.txt": `file 644 ${"b".repeat(4_000)}` });
  });

  test("is written by two processes at once without a line torn or a number used twice", async () => {
    using world = makeWorld();
    const program = pathToFileURL(path.join(import.meta.dirname, "undo.testing.ts")).href;
    const script = (who: string) => `import { change, worldIn } from ${JSON.stringify(program)};
      const world = worldIn(${JSON.stringify(world.base)});
      for (let i = 0; i < 15; i++) {
        const turn = world.undo.begin({ session: ${JSON.stringify(who)}, task: String(i), at: 0 });
        await change(world, turn, { [${JSON.stringify(who)} + i]: "x" });
        turn.end();
      }`;
    const ends = ["one", "two"].map(async (who) => {
      const child = spawn(process.execPath, ["--input-type=module", "-e", script(who)], {
        stdio: "inherit",
        timeout: 60_000,
      });
      return (await once(child, "close"))[0] as unknown;
    });
    expect(await Promise.all(ends)).toEqual([0, 0]);
    const turns = world.undo.turns();
    expect(turns.map(({ number }) => number)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    for (const who of ["one", "two"]) {
      const own = turns.filter(({ session }) => session === who);
      expect(own.map(({ task, files, state }) => [task, files[0]?.path, state])).toEqual(
        Array.from({ length: 15 }, (_, index) => [String(index), who + String(index), "done"]),
      );
    }
  }, 120_000);

  test("is not undone by two at once", async () => {
    using world = makeWorld({ "a.txt": "one" });
    await turnOf(world, "First", { "a.txt": "two" });
    await turnOf(world, "Second", { "a.txt": "three" });
    const both = await Promise.allSettled([world.undo.undo(never), world.undo.undo(never)]);
    expect(both).toMatchObject([{ value: { turn: { task: "Second" } } }, { reason: { code: "E_TURN_RUNNING" } }]);
    expect(treeOf(world.project)).toEqual({ "a.txt": "file 644 two" });
  });

  test("has to be kept before anything is changed", async () => {
    using world = makeWorld({ "a.txt": "one" });
    put(world.base, "store", "no folder");
    await expect(turnOf(world, "Edit", { "a.txt": "two" })).rejects.toMatchObject({ code: "E_UNDO_UNWRITABLE" });
    expect(treeOf(world.project)).toEqual({ "a.txt": "file 644 one" });
  });

  test("tells which lines a reversal changed", async () => {
    using world = makeWorld({ "a.txt": "1\n2\n3\n" });
    await turnOf(world, "Edit", { "a.txt": "1\nzwei\n3\n", "b.txt": "b\n" });
    const undone = await world.undo.undo(never);
    expect(await world.undo.landed(undone)).toEqual([
      {
        path: "a.txt",
        before: sha256(Buffer.from("1\nzwei\n3\n")),
        after: sha256(Buffer.from("1\n2\n3\n")),
        hunks: [{ from: 2, removed: 1, to: 2, added: 1 }],
      },
      {
        path: "b.txt",
        before: sha256(Buffer.from("b\n")),
        after: null,
        hunks: [{ from: 1, removed: 1, to: 1, added: 0 }],
      },
    ]);
  });

  test("an undo that is cancelled stops between two files, and the next one completes it", async () => {
    using world = makeWorld({ "a.txt": "one", "b.txt": "one" });
    const before = treeOf(world.project);
    await turnOf(world, "Edit", { "a.txt": "two", "b.txt": "two" });
    const stop = new AbortController();
    const { undo } = worldIn(world.base, { observe: (did) => did === "put" && stop.abort() });
    expect((await undo.undo(stop.signal)).left).toEqual([
      { path: "b.txt", reason: "it was not reached before the end", again: true },
    ]);
    expect(treeOf(world.project)).toEqual({ "a.txt": "file 644 one", "b.txt": "file 644 two" });
    await world.undo.undo(never);
    expect(treeOf(world.project)).toEqual(before);
    await world.undo.redo(never);
    expect(treeOf(world.project)).toEqual({ "a.txt": "file 644 two", "b.txt": "file 644 two" });
  });
});
