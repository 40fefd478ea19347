/** What every fence must do with changes, as named cases: see fence-conformance.ts. */

import { deepEqual, equal, rejects, throws } from "node:assert/strict";
import { hash } from "node:crypto";
import { policyFrom, type RulePolicy } from "../policy/rules.ts";
import type { Change, PlannedFile } from "../workspace/change.ts";
import type { Fence } from "../workspace/fence.ts";

export const writingPolicy: RulePolicy = policyFrom([
  { name: "project files", globs: ["**"], access: ["read", "write"], decision: "allow" },
  { name: "generated", globs: ["*.lock"], access: ["write"], decision: "ask" },
  { name: "git internals", globs: [".git", "git~1"], access: ["write"], decision: "deny" },
  { name: "shell settings", globs: [".bashrc"], access: ["write"], decision: "deny" },
]);

export const writingFiles = {
  ".gitignore": "*.log\n",
  ".git/config": "[core]",
  "sub/.git/config": "[core]",
  "README.md": "read me",
  "src/a.ts": "a",
  "src/b.ts": "b",
  "package.lock": "{}",
};

type WritingCase = { readonly name: string; readonly check: (fence: Fence) => Promise<void> };

const creates = (path: string, text = "new"): Change => ({ path, before: null, after: bytes(text) });
const updates = (path: string, old: string, text = "new"): Change => ({ path, before: sha(old), after: bytes(text) });
const removes = (path: string, old: string): Change => ({ path, before: sha(old), after: null });

/** Row: the changes, the code of their refusal. */
const refusals: readonly [changes: readonly Change[], code: string][] = [
  [[updates("src/a.ts", "what was there before")], "E_STALE"],
  [[removes("src/a.ts", "what was there before")], "E_STALE"],
  [[updates("nowhere", "a")], "E_NOT_FOUND"],
  [[removes("nowhere", "a")], "E_NOT_FOUND"],
  [[{ path: "nowhere", before: null, after: null }], "E_NOT_FOUND"],
  [[creates("src/a.ts")], "E_EXISTS"],
  [[creates("src")], "E_IS_FOLDER"],
  [[creates("src/")], "E_IS_FOLDER"],
  [[creates("new/")], "E_IS_FOLDER"],
  [[creates("src/..")], "E_IS_FOLDER"],
  [[creates("README.md/new")], "E_NOT_FOLDER"],
  [[creates("nowhere/../new")], "E_NOT_FOUND"],
  [[updates("src/a.ts", "a"), updates("./src//a.ts", "a")], "E_SAME_FILE"],
  [[creates("new"), creates("src/../new")], "E_SAME_FILE"],
  [[creates("")], "E_EMPTY_PATH"],
  [[creates("   ")], "E_BAD_PATH"],
  [[creates("src/ /a")], "E_BAD_PATH"],
  [[creates("a\0b")], "E_BAD_PATH"],
  [[creates("a\nb")], "E_BAD_PATH"],
  [[creates("src\\new.ts")], "E_BAD_PATH"],
  [[creates("a\ud800")], "E_BAD_PATH"],
  [[creates("x".repeat(5000))], "E_PATH_TOO_LONG"],
  [[creates("/elsewhere/new")], "E_OUTSIDE_ROOT"],
  [[creates("../new")], "E_OUTSIDE_ROOT"],
  [[creates("~/.ssh/authorized_keys")], "E_HOME_PATH"],
  [[creates("C:\\new")], "E_DRIVE_PATH"],
  [[creates("\\\\host\\share\\new")], "E_NETWORK_PATH"],
  [[creates("\\\\.\\pipe\\new")], "E_DEVICE_PATH"],
  ...[
    ".GIT/config",
    ".Git/hooks/post-checkout",
    ".git./x",
    ".git /x",
    "GIT~1/config",
    ".git::$INDEX_ALLOCATION/config",
    ".g\u200cit/config",
    "src/../.git/HEAD",
    "sub/.GIT/hooks/x",
    ".git",
    ".bashrc",
    "src/.BASHRC",
  ].map((path): [Change[], string] => [[creates(path)], "E_DENIED"]),
  [[updates(".git/config", "[core]")], "E_DENIED"],
  [[removes("sub/.git/config", "[core]")], "E_DENIED"],
];

export const writingCases: readonly WritingCase[] = [
  ...refusals.map(([changes, code]) => ({
    name: `changing ${JSON.stringify(changes.map(({ path }) => path.slice(0, 32)))} is ${code}, and changes nothing`,
    check: async (fence: Fence) => {
      const before = await treeOf(fence);
      await rejects(fence.plan([creates("first"), ...changes]), { name: "Failure", code });
      deepEqual(await treeOf(fence), before);
    },
  })),

  writing("a plan says what is there, what will be and where it will wait", async (fence) => {
    using plan = await fence.plan([
      updates("./src/../src/a.ts", "a", "A"),
      { ...creates("x/y/z", "Z"), mode: 0o4750 },
      removes("package.lock", "{}"),
    ]);
    const allowed = { decision: "allow", rule: "project files" };
    deepEqual(plan.files.map(shown), [
      {
        asked: "./src/../src/a.ts",
        path: "src/a.ts",
        verdict: allowed,
        before: state("a", plan.files[0]?.before?.mode),
        after: state("A", plan.files[0]?.before?.mode),
        folders: [],
        temporary: "src/.croft-#.tmp",
      },
      {
        asked: "x/y/z",
        path: "x/y/z",
        verdict: allowed,
        before: null,
        after: state("Z", 0o750),
        folders: ["x", "x/y"],
        temporary: "x/y/.croft-#.tmp",
      },
      {
        asked: "package.lock",
        path: "package.lock",
        verdict: { decision: "ask", rule: "generated" },
        before: state("{}", plan.files[2]?.before?.mode),
        after: null,
        folders: [],
        temporary: ".croft-#.tmp",
      },
    ]);
  }),

  writing("nothing is written before a plan is applied, and nothing after it was let go", async (fence) => {
    const before = await treeOf(fence);
    const plan = await fence.plan([updates("src/a.ts", "a"), creates("x/new"), removes("src/b.ts", "b")]);
    deepEqual(await treeOf(fence), before);
    plan[Symbol.dispose]();
    throws(() => plan.apply(), { code: "E_RELEASED" });
    deepEqual(await treeOf(fence), before);
  }),

  writing("changes land, new ones with their folders, and leave nothing else behind", async (fence) => {
    const before = await treeOf(fence);
    using plan = await fence.plan([
      updates("src/a.ts", "a", "A\r\n"),
      removes("src/b.ts", "b"),
      creates("x/y/one", "1"),
      creates("x/y/two", ""),
      creates(".gitattributes", "* text"),
      updates(".gitignore", "*.log\n", ""),
    ]);
    plan.apply();
    throws(() => plan.apply(), { code: "E_RELEASED" });
    const { "src/b.ts": _, ...kept } = before;
    deepEqual(await treeOf(fence), {
      ...kept,
      "src/a.ts": "A\r\n",
      "x/y/one": "1",
      "x/y/two": "",
      ".gitattributes": "* text",
      ".gitignore": "",
    });
  }),

  writing("what was planned is what lands, whatever the caller does with its bytes", async (fence) => {
    const after = bytes("planned");
    using plan = await fence.plan([{ path: "new", before: null, after }]);
    after.fill(0);
    plan.apply();
    equal((await treeOf(fence))["new"], "planned");
  }),

  writing("a move is two changes", async (fence) => {
    using plan = await fence.plan([removes("src/a.ts", "a"), creates("lib/a.ts", "a")]);
    plan.apply();
    const tree = await treeOf(fence);
    deepEqual([tree["src/a.ts"], tree["lib/a.ts"]], [undefined, "a"]);
  }),

  writing("what changed since the plan is not replaced, and nothing else is changed either", async (fence) => {
    using first = await fence.plan([updates("src/b.ts", "b", "B"), updates("src/a.ts", "a", "1")]);
    using second = await fence.plan([
      creates("x/y/new"),
      updates("README.md", "read me"),
      updates("src/a.ts", "a", "2"),
      removes("src/b.ts", "b"),
    ]);
    first.apply();
    const before = await treeOf(fence);
    throws(() => second.apply(), { code: "E_STALE" });
    deepEqual(await treeOf(fence), before);
  }),

  writing("what was removed since is not found, and what was made since is there already", async (fence) => {
    using removal = await fence.plan([removes("src/a.ts", "a"), creates("new", "theirs")]);
    using update = await fence.plan([updates("src/a.ts", "a")]);
    using creation = await fence.plan([creates("new")]);
    removal.apply();
    throws(() => update.apply(), { code: "E_NOT_FOUND" });
    throws(() => creation.apply(), { code: "E_EXISTS" });
    equal((await treeOf(fence))["new"], "theirs");
  }),

  writing("a file and a folder of one name do not both land, and what had been made is taken back", async (fence) => {
    const before = await treeOf(fence);
    using plan = await fence.plan([updates("src/a.ts", "a"), creates("new/below/it"), creates("new")]);
    throws(() => plan.apply(), { code: "E_EXISTS" });
    deepEqual(await treeOf(fence), before);
  }),

  writing("names that only look alike stay different, and what a shell would expand is a name", async (fence) => {
    const names = ["caf\u00e9", "cafe\u0301", "\u0430pp", "app", "$HOME/x", "%USERPROFILE%", "file:///x", ".gitx"];
    using plan = await fence.plan(names.map((name) => creates(name, name)));
    plan.apply();
    const tree = await treeOf(fence);
    deepEqual(
      names.map((name) => tree[name.replace("///", "/")]),
      names,
    );
  }),

  writing("a file that is too large is not changed, nor made", async (fence) => {
    const large = new Uint8Array(16_777_217);
    await rejects(fence.plan([{ path: "large", before: null, after: large }]), { code: "E_TOO_LARGE" });
  }),

  writing("only what a plan has left is swept, and only files", async (fence) => {
    using plan = await fence.plan([
      creates("src/.croft-0123456789abcdef.tmp"),
      creates("src/.croft-0123456789abcdeg.tmp"),
      creates(".croft-0123456789abcdef.tmp/inside"),
    ]);
    plan.apply();
    const swept = [
      "src/.croft-0123456789abcdef.tmp",
      "src/.croft-0123456789abcdef.tmp",
      "src/.croft-0123456789abcdeg.tmp",
      ".croft-0123456789abcdef.tmp",
      "src/../.croft-0123456789abcdef.tmp",
      "/.croft-0123456789abcdef.tmp",
      "nowhere/.croft-0123456789abcdef.tmp",
      "src/a.ts",
      "",
    ].map((path) => fence.sweep(path));
    deepEqual(swept, [true, false, false, false, false, false, false, false, false]);
    const { "src/.croft-0123456789abcdeg.tmp": one, ".croft-0123456789abcdef.tmp/inside": two } = await treeOf(fence);
    deepEqual([one, two], ["new", "new"]);
  }),
];

function writing(name: string, check: (fence: Fence) => Promise<void>): WritingCase {
  return { name, check };
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function sha(text: string): string {
  return hash("sha256", text);
}

function state(text: string, mode: number | undefined): unknown {
  return { bytes: text, hash: sha(text), mode };
}

/** With bytes as text, and without what is random. */
function shown(file: PlannedFile): unknown {
  const [before, after] = [file.before, file.after].map(
    (one) => one && { ...one, bytes: Buffer.from(one.bytes).toString() },
  );
  return { ...file, before, after, temporary: file.temporary.replace(/-[0-9a-f]{16}\./, "-#.") };
}

/** The text of every file that is listed, by path. */
async function treeOf(fence: Fence): Promise<Record<string, string>> {
  using root = fence.pin(".", "list");
  const tree: Record<string, string> = {};
  for await (const entry of fence.list(root, {}, new AbortController().signal)) {
    if (!("path" in entry) || entry.kind !== "file") continue;
    using file = fence.pin(entry.path, "read");
    tree[entry.path] = Buffer.from(fence.content(file, 1_000_000)).toString();
  }
  return tree;
}
