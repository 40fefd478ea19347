import { hash } from "node:crypto";
import { appendFileSync, chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { asFailure, Failure } from "../error.ts";
import type { Action } from "../gate/action.ts";
import type { Gate } from "../gate/gate.ts";
import { policyFrom } from "../policy/rules.ts";
import type { BeforeImages, Change, PlannedFile } from "./change.ts";
import type { Fence } from "./fence.ts";
import { openFence } from "./fence/on-disk.ts";
import { openDescriptors, plantTree, snapshotOf, type Planted, type Tree } from "./tree.testing.ts";
import type { SearchBackend } from "./search.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

const signal = new AbortController().signal;
const policy = policyFrom([
  { name: "all", globs: ["**"], access: ["read", "write"], decision: "allow" },
  { name: "workflows", globs: [".github"], access: ["write"], decision: "ask" },
  { name: "secrets", globs: ["*.key"], access: ["read", "write"], decision: "deny" },
]);

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).toReversed()) cleanup();
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const sha = (text: string): string => hash("sha256", text);
const creates = (path: string, after = "new\n"): Change => ({ path, before: null, after: bytes(after) });
const updates = (path: string, before: string, after: string): Change => ({
  path,
  before: sha(before),
  after: bytes(after),
});
const removes = (path: string, before: string): Change => ({ path, before: sha(before), after: null });

type More = {
  readonly strict?: boolean;
  readonly gate?: (action: Action, tree: Tree) => boolean | Promise<boolean>;
  readonly before?: BeforeImages;
};
const unused: SearchBackend = {
  name: "none",
  supportsFollow: false,
  search: () => expect.unreachable("nothing is searched here"),
};

type Opened = { tree: Tree; fence: Fence; workspace: Workspace; asked: Action[]; log: string[] };

/** A workspace that logs what it does, whose gate allows everything unless `gate` says otherwise. */
function open(entries: Record<string, Planted>, more: More = {}): Opened {
  const tree = plantTree(entries);
  const fence = openFence(tree.root, policy);
  cleanups.push(tree.remove, () => fence.close());
  const asked: Action[] = [];
  const log: string[] = [];
  const gate: Gate = async (action) => {
    asked.push(action);
    log.push("asked");
    const allowed = (await more.gate?.(action, tree)) ?? true;
    return allowed ? { allowed, by: "rule" } : { allowed, by: "person", note: "not this one" };
  };
  const logging: BeforeImages = {
    keep(files) {
      log.push(`kept ${files.map(({ path }) => path).join(" ")} of ${Object.keys(snapshotOf(tree.root)).join(" ")}`);
      return { landed: () => void log.push("landed"), dropped: () => void log.push("dropped") };
    },
  };
  const before = more.before ?? logging;
  return {
    tree,
    fence,
    asked,
    log,
    workspace: openWorkspace({ fence, gate, search: unused, before, strict: more.strict }),
  };
}

async function failureOf(act: Promise<unknown>): Promise<Failure> {
  try {
    await act;
  } catch (thrown) {
    return asFailure(thrown);
  }
  throw new Error("It did not fail.");
}

test("a source is the bytes, hash and mode of a file, asked about as reading", async () => {
  const { tree, workspace, asked } = open({ "d/f": "a\r\n\0", l: { link: "d/f" } });
  chmodSync(join(tree.root, "d/f"), 0o640);
  const { bytes: content, ...rest } = await workspace.source("l", signal);
  expect([Buffer.from(content).toString(), rest]).toEqual([
    "a\r\n\0",
    { path: "d/f", hash: sha("a\r\n\0"), mode: 0o640 },
  ]);
  expect(asked).toEqual([
    { kind: "read", asked: "l" },
    { kind: "read", asked: "l", path: "d/f", verdict: { decision: "allow", rule: "all" } },
  ]);
});

test("that a new file can be run is said before its lines", async () => {
  const { workspace } = open({});
  const [program, text] = await workspace.commit([{ ...creates("a"), mode: 0o755 }, creates("b")], signal);
  expect([program?.diff, text?.diff]).toEqual([
    "(executable)\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+new\n",
    "--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+new\n",
  ]);
});

test("a file that is read-only is a question, whatever the rules allow, and keeps its mode", async () => {
  const { tree, workspace, asked } = open({ a: "1\n", b: "2\n", ".github/x.yml": "3\n", "s.key": "4\n" });
  for (const name of ["a", "b", ".github/x.yml", "s.key"]) chmodSync(join(tree.root, name), 0o444);
  await workspace.commit(
    [updates("a", "1\n", "one\n"), removes("b", "2\n"), updates(".github/x.yml", "3\n", "")],
    signal,
  );
  const resolved = asked.flatMap((action) => (action.kind === "write" ? action.changes : []));
  expect(resolved.flatMap(({ path, verdict }) => (verdict === undefined ? [] : [[path, verdict]]))).toEqual([
    ["a", { decision: "ask", rule: "it is read-only" }],
    ["b", { decision: "ask", rule: "it is read-only" }],
    [".github/x.yml", { decision: "ask", rule: "workflows" }],
  ]);
  expect(statSync(join(tree.root, "a")).mode & 0o777).toBe(0o444);
  await expect(workspace.commit([updates("s.key", "4\n", "")], signal)).rejects.toMatchObject({ code: "E_DENIED" });
});

test("a commit asks, plans, asks with the diffs, keeps what was, lands, and tells what has landed", async () => {
  const { tree, workspace, asked, log } = open({ a: "1\n2\n", l: { link: "a" }, old: "bye\n" });
  const changes = [updates("l", "1\n2\n", "1\nzwei\n"), creates(".github/x.yml"), removes("./old", "bye\n")];
  const committed = await workspace.commit(changes, signal);
  const diffs = [
    "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 1\n-2\n+zwei\n",
    "--- /dev/null\n+++ b/.github/x.yml\n@@ -0,0 +1 @@\n+new\n",
    "--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-bye\n",
  ];
  const allowed = { decision: "allow", rule: "all" };
  const asks = { decision: "ask", rule: "workflows" };
  expect(asked).toEqual([
    {
      kind: "write",
      changes: [
        { asked: "l", diff: "" },
        { asked: ".github/x.yml", diff: "" },
        { asked: "./old", diff: "" },
      ],
    },
    {
      kind: "write",
      changes: [
        { asked: "l", path: "a", verdict: allowed, change: "update", diff: diffs[0] },
        { asked: ".github/x.yml", path: ".github/x.yml", verdict: asks, change: "create", diff: diffs[1] },
        { asked: "./old", path: "old", verdict: allowed, change: "delete", diff: diffs[2] },
      ],
    },
  ]);
  expect(log).toEqual(["asked", "asked", "kept a .github/x.yml old of a l old", "landed"]);
  expect(committed).toEqual([
    {
      path: "a",
      before: sha("1\n2\n"),
      after: sha("1\nzwei\n"),
      hunks: [{ from: 2, removed: 1, to: 2, added: 1 }],
      diff: diffs[0],
    },
    {
      path: ".github/x.yml",
      before: null,
      after: sha("new\n"),
      hunks: [{ from: 1, removed: 0, to: 1, added: 1 }],
      diff: diffs[1],
    },
    {
      path: "old",
      before: sha("bye\n"),
      after: null,
      hunks: [{ from: 1, removed: 1, to: 1, added: 0 }],
      diff: diffs[2],
    },
  ]);
  expect(snapshotOf(tree.root)).toEqual({
    ".github": "folder",
    ".github/x.yml": "644 new\n",
    a: "644 1\nzwei\n",
    l: "-> a",
  });
});

test("what the gate refuses, at first or when it knows, is neither kept nor changed", async () => {
  for (const refusedAt of [1, 2]) {
    let questions = 0;
    const { tree, workspace, log } = open({ a: "1" }, { gate: () => (questions += 1) !== refusedAt });
    const descriptors = openDescriptors();
    const failure = await failureOf(workspace.commit([updates("a", "1", "2")], signal));
    expect([failure.code, failure.narration]).toEqual([
      "E_REFUSED",
      "The user did not allow this: not this one. Ask what they want instead.",
    ]);
    expect([log, snapshotOf(tree.root)]).toEqual([Array(refusedAt).fill("asked"), { a: "644 1" }]);
    expect(openDescriptors()).toBe(descriptors);
  }
});

test("what changed while the gate was asked is not replaced, and what was kept is dropped", async () => {
  const { tree, workspace, log } = open(
    { a: "1", b: "1" },
    {
      gate: (action, { root }) => {
        if (action.kind === "write" && action.changes[0]?.path !== undefined) appendFileSync(join(root, "b"), "!");
        return true;
      },
    },
  );
  const failure = await failureOf(workspace.commit([updates("a", "1", "2"), updates("b", "1", "2")], signal));
  expect([failure.code, failure.narration]).toEqual([
    "E_STALE",
    '"b" changed since you last read it. Read it again, then repeat the change.',
  ]);
  expect([log, snapshotOf(tree.root)]).toEqual([
    ["asked", "asked", "kept a b of a b", "dropped"],
    { a: "644 1", b: "644 1!" },
  ]);
});

test("what cannot be kept is not changed", async () => {
  const keep = (): never => {
    throw new Failure("E_DISK_FULL", "No room to keep it.");
  };
  const { tree, workspace } = open({ a: "1" }, { before: { keep } });
  expect(await failureOf(workspace.commit([updates("a", "1", "2")], signal))).toMatchObject({ code: "E_DISK_FULL" });
  expect(snapshotOf(tree.root)).toEqual({ a: "644 1" });
});

test("a file that already is as asked is refused before anybody is asked about it, and stays the very same", async () => {
  const { tree, workspace, log } = open({ a: "1", b: "1" });
  const { ino, mtimeMs } = statSync(join(tree.root, "a"));
  const failure = await failureOf(workspace.commit([updates("b", "1", "2"), updates("a", "1", "1")], signal));
  expect(failure.code).toBe("E_NO_CHANGE");
  expect([log, snapshotOf(tree.root)]).toEqual([["asked"], { a: "644 1", b: "644 1" }]);
  expect(statSync(join(tree.root, "a"))).toMatchObject({ ino, mtimeMs });
});

test("what could not be put back counts as landed, so that it can still be undone", async () => {
  const told: string[] = [];
  const half: BeforeImages = {
    keep: () => ({ landed: () => void told.push("landed"), dropped: () => void told.push("dropped") }),
  };
  const { fence } = open({});
  const apply = (): never => {
    throw new Failure("E_HALF_LANDED", "Half of it.");
  };
  const broken: Fence = { ...fence, plan: async () => ({ files: [] as PlannedFile[], apply, [Symbol.dispose]() {} }) };
  const workspace = openWorkspace({
    fence: broken,
    gate: async () => ({ allowed: true, by: "rule" }),
    search: unused,
    before: half,
  });
  expect(await failureOf(workspace.commit([], signal))).toMatchObject({ code: "E_HALF_LANDED" });
  expect(told).toEqual(["landed"]);
});

test("if strict, what is denied, absent, outside and stale cannot be told apart", async () => {
  const outcomes = async (strict: boolean) => {
    const { workspace } = open({ a: "1", "s.key": "1", out: { link: "OUTSIDE/secret.txt" } }, { strict });
    const probe = async (change: Change) => (await failureOf(workspace.commit([change], signal))).code;
    return [
      await probe(updates("s.key", "1", "2")),
      await probe(updates("absent", "1", "2")),
      await probe(updates("out", "SECRET", "2")),
      await probe(updates("a", "0", "2")),
      await probe(creates("a")),
    ];
  };
  expect(await outcomes(false)).toEqual(["E_DENIED", "E_NOT_FOUND", "E_NOT_FOUND", "E_STALE", "E_EXISTS"]);
  expect(await outcomes(true)).toEqual(Array(5).fill("E_UNAVAILABLE"));
});

test("what is cancelled while the gate was asked does not land", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const { tree, workspace, log } = open(
    { a: "1" },
    {
      gate: (action) => {
        if (action.kind === "write" && action.changes[0]?.path !== undefined) controller.abort(reason);
        return true;
      },
    },
  );
  await expect(workspace.commit([updates("a", "1", "2")], controller.signal)).rejects.toBe(reason);
  expect([log, readFileSync(join(tree.root, "a"), "utf8")]).toEqual([["asked", "asked"], "1"]);
});
