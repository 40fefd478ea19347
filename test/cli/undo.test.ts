import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFence, openUndo, policyFrom } from "@croft/harness";
import { expect, test } from "vitest";
import { undoStore } from "../../packages/cli/src/config/stores.ts";
import { croft, makeWorld, type World } from "./croft.ts";

const policy = policyFrom([{ name: "all", globs: ["**"], access: ["read", "write"], decision: "allow" }]);

/** A turn as a run makes it; without `end` its process seems to have been killed in it. */
async function turn(world: World, task: string, files: Readonly<Record<string, string>>): Promise<void> {
  const { fence, undo } = projectOf(world);
  const open = undo.begin({ session: "s1", task, at: Date.UTC(2026, 10, 30, 12) });
  const changes = Object.entries(files).map(([path, text]) => ({
    path,
    before: hashAt(world, path),
    after: Buffer.from(text),
  }));
  using plan = await fence.plan(changes);
  const keeping = open.keep(plan.files);
  plan.apply();
  keeping.landed();
  open.end();
  fence.close();
}

function projectOf(world: World) {
  const root = realpathSync(world.project);
  const store = undoStore(join(world.home, ".local/state"), root);
  return { fence: openFence(root, policy), undo: openUndo({ store, root }), store };
}

function hashAt({ project }: World, path: string): string | null {
  try {
    return createHash("sha256")
      .update(readFileSync(join(project, path)))
      .digest("hex");
  } catch {
    return null;
  }
}

const text = (world: World, path: string): string => readFileSync(join(world.project, path), "utf8");

test("the last turn is taken back, file by file, and redo takes that back", async () => {
  const world = makeWorld({ "a.txt": "one\n" });
  await turn(world, "Write both", { "a.txt": "two\n", "new/b.txt": "b\n" });
  expect(await croft(world, ["undo"])).toEqual({
    code: 0,
    signal: null,
    out: "Undone turn 1: Write both\n  ~ a.txt\n  - new/b.txt\n",
    err: "",
  });
  expect([text(world, "a.txt"), readdirSync(world.project)]).toEqual(["one\n", ["a.txt"]]);
  expect(await croft(world, ["redo"])).toMatchObject({
    code: 0,
    out: "Redone turn 1: Write both\n  ~ a.txt\n  + new/b.txt\n",
  });
  expect([text(world, "a.txt"), text(world, "new/b.txt")]).toEqual(["two\n", "b\n"]);
});

test("nothing to take back is said, of which project too, and is no failure", async () => {
  const world = makeWorld();
  for (const type of ["undo", "redo"]) {
    const err = `The project is ${world.project}. For another: croft ${type} -C DIR\n`;
    expect(await croft(world, [type])).toEqual({ code: 0, signal: null, out: `Nothing to ${type}.\n`, err });
  }
  expect((await croft(world, ["undo", "--json"])).out).toBe('{"type":"undo","turn":null,"files":[],"left":[]}\n');
});

test("a file changed since is left alone: exit 1, and both versions can be seen", async () => {
  const world = makeWorld({ "a.txt": "one\n", "b.txt": "one\n" });
  await turn(world, "Edit", { "a.txt": "two\n", "b.txt": "two\n" });
  writeFileSync(join(world.project, "a.txt"), "mine\n");
  expect(await croft(world, ["undo"])).toEqual({
    code: 1,
    signal: null,
    out: "Undone turn 1: Edit\n  ~ b.txt\n",
    err: "left alone: a.txt: it is not as croft left it\nTo see both versions of a file: croft undo --show PATH\n",
  });
  expect([text(world, "a.txt"), text(world, "b.txt")]).toEqual(["mine\n", "one\n"]);
  const shown = await croft(world, ["undo", "--show", "a.txt"]);
  expect(shown).toMatchObject({ code: 0, out: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-mine\n+one\n" });
  const [, kept = ""] = /lies at (.+)\n$/.exec(shown.err) ?? [];
  expect(readFileSync(kept, "utf8")).toBe("one\n");
  expect(await croft(world, ["undo", "--show", "c.txt"])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/E_NOT_CHANGED/),
  });
});

test("the turns are listed, the last one first; names are escaped", async () => {
  const world = makeWorld({ "a.txt": "one\n" });
  await turn(world, "First\nwith details", { "a.txt": "two\n" });
  await turn(world, "Second \u001b[31m", { "b\u202e.txt": "b\n" });
  await croft(world, ["undo"]);
  const { out, code } = await croft(world, ["undo", "--list"]);
  expect([code, out]).toEqual([
    0,
    "2  2026-11-30 12:00  undone       Second \\x1b[31m\n     + b\\u{202e}.txt\n" +
      "1  2026-11-30 12:00  done         First\n     ~ a.txt\n",
  ]);
  const lines = (await croft(world, ["undo", "--list", "--json"])).out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ type, number, state }) => [type, number, state])).toEqual([
    ["turn", 2, "undone"],
    ["turn", 1, "done"],
  ]);
});

test("JSON tells the states of every file and what was left alone", async () => {
  const world = makeWorld({ "a.txt": "one\n" });
  await turn(world, "Edit", { "a.txt": "two\n", "b.txt": "b\n" });
  writeFileSync(join(world.project, "b.txt"), "mine\n");
  const { out, err, code } = await croft(world, ["undo", "--json"]);
  const file = (hash: unknown) => ({ kind: "file", hash, mode: expect.any(Number) });
  expect([code, err, JSON.parse(out)]).toEqual([
    1,
    "",
    {
      type: "undo",
      turn: { number: 1, session: "s1", task: "Edit", at: Date.UTC(2026, 10, 30, 12) },
      files: [{ path: "a.txt", before: file(expect.any(String)), after: file(hashAt(world, "a.txt")) }],
      left: [{ path: "b.txt", reason: "it is not as croft left it" }],
    },
  ]);
});

test("a subfolder, a second project and a project of the same name have their own undo", async () => {
  const world = makeWorld({ "a.txt": "one\n", "sub/x.txt": "x\n" });
  await turn(world, "Edit", { "a.txt": "two\n" });
  expect((await croft(world, ["undo", "-C", "sub"])).out).toBe("Nothing to undo.\n");
  mkdirSync(join(world.base, "other/project"), { recursive: true });
  expect((await croft(world, ["undo", "-C", join(world.base, "other/project")])).out).toBe("Nothing to undo.\n");
  expect((await croft(world, ["undo", "-C", world.project], { cwd: world.base })).out).toMatch(/^Undone turn 1/);
});

test.each([
  ["a path", ["undo", "a.txt"]],
  ["both --list and --show", ["undo", "--list", "--show", "a"]],
  ["an unknown option", ["undo", "--force"]],
  ["a path for redo", ["redo", "a.txt"]],
])("%s is a mistake: exit 2, nothing is changed", async (_, args) => {
  const world = makeWorld({ "a.txt": "one\n" });
  await turn(world, "Edit", { "a.txt": "two\n" });
  expect(await croft(world, args)).toMatchObject({ code: 2, out: "" });
  expect(text(world, "a.txt")).toBe("two\n");
});

test("a secret in the name of a file is not printed, neither in the list nor when it is undone and redone", async () => {
  const secret = `ghp_${"aB3dE5gH7j".repeat(4).slice(0, 36)}`;
  const world = makeWorld();
  await turn(world, `Keep ${secret}`, { [`${secret}.txt`]: "one\n" });
  for (const args of [["undo", "--list"], ["undo"], ["redo"]]) {
    const { code, out, err } = await croft(world, args);
    expect([code, out]).toEqual([0, expect.stringMatching(/ [-+~] \[secret:github-token\]/)]);
    expect(out + err).not.toContain(secret);
  }
});
