import { execFileSync } from "node:child_process";
import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Action } from "../gate/action.ts";
import type { Gate } from "../gate/gate.ts";
import { policyFrom } from "../policy/rules.ts";
import { openFence } from "./fence/on-disk.ts";
import { ripgrep } from "./search/ripgrep.ts";
import type { Frames, Proposal, Query, SearchDone } from "./search.ts";
import { openDescriptors, plantTree, type Planted, type Tree } from "./tree.testing.ts";
import { openWorkspace, type Hit, type Workspace } from "./workspace.ts";

const signal = new AbortController().signal;
const policy = policyFrom([
  { name: "all", globs: ["**"], access: ["read"], decision: "allow" },
  { name: "secrets", globs: ["*.key", ".git"], access: ["read"], decision: "deny" },
  { name: "settings", globs: ["*.env"], access: ["read"], decision: "ask" },
]);

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).toReversed()) cleanup();
});

type Opened = { tree: Tree; workspace: Workspace; asked: Action[] };

/** A workspace on a planted tree, whose gate notes what it is asked and allows it unless `refuse` says otherwise. */
function open(
  entries: Record<string, Planted>,
  more: { strict?: boolean; refuse?: (action: Action) => boolean } = {},
): Opened {
  const tree = plantTree(entries);
  const fence = openFence(tree.root, policy);
  cleanups.push(tree.remove, () => fence.close());
  const asked: Action[] = [];
  const gate: Gate = async (action) => {
    asked.push(action);
    return more.refuse?.(action) === true
      ? { allowed: false, by: "person", note: "not this one" }
      : { allowed: true, by: "rule" };
  };
  return { tree, asked, workspace: openWorkspace({ fence, gate, search: ripgrep(""), strict: more.strict }) };
}

async function listed(workspace: Workspace, path = "."): Promise<string[]> {
  const paths: string[] = [];
  for await (const entry of workspace.list(path, {}, signal)) if ("path" in entry) paths.push(entry.path);
  return paths;
}

async function searched(
  workspace: Workspace,
  query: Partial<Query> = {},
): Promise<{ hits: Hit[]; done: SearchDone | undefined }> {
  const hits: Hit[] = [];
  for await (const hit of workspace.search({ pattern: "needle", ...query }, signal)) {
    if ("done" in hit) return { hits, done: hit };
    hits.push(hit);
  }
  return { hits, done: undefined };
}

async function places(workspace: Workspace, query: Partial<Query> = {}): Promise<string[]> {
  const { hits } = await searched(workspace, { limit: 100, ...query });
  return hits.map(({ path, line, match }) => `${path}${match ? ":" : "-"}${line}`);
}

test("every operation asks the gate before it resolves and again about what is pinned", async () => {
  const { workspace, asked } = open({ "sub/a": "needle", link: { link: "sub" } });
  await workspace.read("link/a", signal);
  await workspace.look("sub/a", signal);
  await listed(workspace, "link");
  await searched(workspace, { path: "link" });
  await searched(workspace);
  const verdict = { decision: "allow", rule: "all" };
  expect(asked).toEqual([
    { kind: "read", asked: "link/a" },
    { kind: "read", asked: "link/a", path: "sub/a", verdict },
    { kind: "read", asked: "sub/a" },
    { kind: "read", asked: "sub/a", path: "sub/a", verdict },
    { kind: "list", asked: "link" },
    { kind: "list", asked: "link", path: "sub", verdict },
    { kind: "search", asked: "link", pattern: "needle" },
    { kind: "search", asked: "link", pattern: "needle", path: "sub", verdict },
    { kind: "search", asked: ".", pattern: "needle" },
    { kind: "search", asked: ".", pattern: "needle", path: ".", verdict },
  ]);
});

test("a refusal before or after resolving passes the note on, and nothing stays open", async () => {
  for (const when of ["unresolved", "resolved"]) {
    const { workspace } = open({ a: "x" }, { refuse: (action) => "path" in action === (when === "resolved") });
    const before = openDescriptors();
    const refused = { code: "E_REFUSED", message: "The user did not allow this: not this one" };
    await expect(workspace.read("a", signal)).rejects.toMatchObject(refused);
    await expect(listed(workspace)).rejects.toMatchObject(refused);
    await expect(searched(workspace)).rejects.toMatchObject(refused);
    expect(openDescriptors()).toBe(before);
  }
});

test("what was approved is what is read, whatever takes its name meanwhile", async () => {
  const { workspace, tree } = open(
    { "sub/a": "approved", "other/a": "swapped" },
    {
      refuse(action) {
        if (!("path" in action)) return false;
        renameSync(join(tree.root, "sub"), join(tree.root, "gone"));
        symlinkSync("other", join(tree.root, "sub"));
        return false;
      },
    },
  );
  expect((await workspace.read("sub/a", signal)).text).toBe("approved");
});

test("in strict mode, absent, denied and outside are one message, and so is a refusal of what was found", async () => {
  const { workspace } = open(
    { "a.key": "x", b: "x", out: { link: "OUTSIDE/secret.txt" } },
    { strict: true, refuse: (action) => "path" in action },
  );
  const failures = await Promise.all(
    ["a.key", "absent", "out", "../up", "/etc/passwd", "b/c", "b", "\0"].map((path) =>
      workspace.read(path, signal).catch((failure: unknown) => failure),
    ),
  );
  const one = { code: "E_UNAVAILABLE", message: "This path is not available." };
  expect(failures).toEqual(failures.map(() => expect.objectContaining(one)));
});

test("what cannot be read as text says why", async () => {
  const { workspace, tree } = open({ binary: "a\0b", big: "x".repeat(1_048_577), "sub/": "", "a.key": "x" });
  execFileSync("mkfifo", [join(tree.root, "fifo")]);
  const codes = await Promise.all(
    ["binary", "big", "sub", "fifo", "absent", "a.key"].map((path) =>
      workspace.read(path, signal).catch((failure: { code: string }) => failure.code),
    ),
  );
  expect(codes).toEqual(["E_BINARY", "E_TOO_LARGE", "E_IS_FOLDER", "E_NOT_REGULAR", "E_NOT_FOUND", "E_DENIED"]);
  await expect(searched(workspace, { path: "fifo" })).rejects.toMatchObject({ code: "E_NOT_REGULAR" });
  await expect(searched(workspace, { path: "binary" })).rejects.toMatchObject({ code: "E_BINARY" });
});

test("a hit carries what the fence read: path, hash, text and where the match is", async () => {
  const { workspace } = open({ "a.txt": "one\r\né the needle\r\n" });
  const { hits, done } = await searched(workspace);
  expect(hits).toEqual([
    {
      path: "a.txt",
      hash: (await workspace.read("a.txt", signal)).hash,
      line: 2,
      text: "é the needle",
      match: true,
      column: 6,
    },
  ]);
  expect(done).toEqual({ done: true, complete: true, stopped: false, skipped: undefined });
});

test("denied files are left out without a word, files to be asked about are counted", async () => {
  const entries = { "a.env": "needle\nneedle", "b.env": "needle", "c.key": "needle", d: "needle" };
  const { workspace } = open(entries);
  for (const limit of [undefined, 10]) {
    const { hits, done } = await searched(workspace, { limit });
    expect(hits.map((hit) => hit.path)).toEqual(["d"]);
    expect(done?.skipped).toBe("2 files with matches that only a person may open up");
  }
  expect(await places(workspace, { path: "a.env" })).toEqual(["a.env:1", "a.env:2"]);
  await expect(searched(workspace, { path: "c.key" })).rejects.toMatchObject({ code: "E_DENIED" });
});

test("with a limit the first matches in path order are found, and that there are more", async () => {
  const { workspace } = open({ "a-b": "needle", "a/z": "needle\nneedle\nneedle", b: "needle" });
  expect(await places(workspace, { limit: 3 })).toEqual(["a/z:1", "a/z:2", "a/z:3"]);
  expect((await searched(workspace, { limit: 3 })).done).toMatchObject({ complete: false, stopped: true });
  expect(await places(workspace, { limit: 4 })).toEqual(["a/z:1", "a/z:2", "a/z:3", "a-b:1"]);
  expect((await searched(workspace, { limit: 5 })).done).toMatchObject({ complete: true, stopped: false });
});

test("context lines stand around matches, each line once and only where it is no match", async () => {
  const lines = Array.from({ length: 12 }, (_, index) => ([3, 5, 10].includes(index + 1) ? "needle" : "x"));
  const { workspace } = open({ a: lines.join("\n"), b: "needle" });
  const around = (path: string, all: string): string[] => all.split(" ").map((one) => path + one);
  expect(await places(workspace, { context: 1 })).toEqual([...around("a", "-2 :3 -4 :5 -6 -9 :10 -11"), "b:1"]);
  expect(await places(workspace, { context: 3, limit: undefined, path: "a" })).toEqual(
    around("a", "-1 -2 :3 -4 :5 -6 -7 -8 -9 :10 -11 -12"),
  );
});

test("a listing and a search walk the same files, and neither follows a link", async () => {
  const entries = {
    ".git/HEAD": "needle",
    ".gitignore": "out/*\n!out/web/\nnode_modules/\n.agent/worktrees/\n*.o\n",
    ".ignore": "ignored.txt\n",
    "out/a": "needle",
    "out/web/i.html": "needle",
    "node_modules/m/README.md": "needle",
    ".agent/worktrees/w1/a": "needle",
    "submodule/.git": "gitdir: ../.git/modules/submodule",
    "submodule/.gitignore": "local\n",
    "submodule/a.o": "needle",
    "submodule/local": "needle",
    "ignored.txt": "needle",
    'odd\n"name': "needle",
    "-dash:3:x": "needle",
    "with space": "needle",
    ".hidden/a": "needle",
    loop: { link: "." },
    up: { link: "submodule" },
    away: { link: "OUTSIDE" },
  };
  const { workspace } = open(entries);
  const files = async (path: string): Promise<string[]> => {
    const found: string[] = [];
    for await (const entry of workspace.list(path, {}, signal)) {
      if ("path" in entry && entry.kind === "file") found.push(entry.path);
    }
    return found.filter((name) => !/(^|\/)\.(git|)ignore$/.test(name) && !name.endsWith(".git"));
  };
  const expected = ["-dash:3:x", ".hidden/a", 'odd\n"name', "out/web/i.html", "submodule/a.o", "with space"];
  expect(await files(".")).toEqual(expected);
  expect(await places(workspace)).toEqual(expected.map((path) => `${path}:1`));
  for (const folder of ["out/web", "submodule", ".agent/worktrees", "node_modules", ".agent"]) {
    expect([folder, await places(workspace, { path: folder })]).toEqual([
      folder,
      (await files(folder)).map((path) => `${path}:1`),
    ]);
  }
});

test("a line that is gone when it is looked up is left out, and one that changed is shown as it is now", async () => {
  const { tree } = open({ a: "needle", b: "1\n2\nneedle", c: "needle" });
  const fence = openFence(tree.root, policy);
  cleanups.push(() => fence.close());
  const workspace = openWorkspace({
    fence,
    gate: async () => ({ allowed: true, by: "rule" }),
    search: { name: "planted", supportsFollow: false, search: planted },
  });
  async function* planted(): Frames<Proposal> {
    const at = { column: 0, offset: 0 };
    yield* [
      { path: "a", line: 1, ...at },
      { path: "b", line: 3, ...at },
      { path: "c", line: 1, ...at },
    ];
    rmSync(join(tree.root, "a"));
    writeFileSync(join(tree.root, "b"), "1\n2\n");
    writeFileSync(join(tree.root, "c"), "changed");
    yield { done: true, complete: true };
  }
  const { hits } = await searched(workspace, { limit: 9 });
  expect(hits.map(({ path, text }) => [path, text])).toEqual([["c", "changed"]]);
});

test("no descriptor stays open, whether a caller stops early or not", async () => {
  const { workspace } = open({ "a/b": "needle\n".repeat(50), "a/c": "needle\n".repeat(50), "a/d": "needle" });
  const before = openDescriptors();
  expect((await searched(workspace)).hits).toHaveLength(101);
  expect(openDescriptors()).toBe(before);
  for await (const _ of workspace.search({ pattern: "needle", path: "a" }, signal)) break;
  for await (const _ of workspace.list("a", {}, signal)) break;
  expect(openDescriptors()).toBe(before);
});
