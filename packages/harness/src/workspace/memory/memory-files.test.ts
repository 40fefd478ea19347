import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readOnlyPolicy } from "../../policy/presets.ts";
import { policyFrom, type RulePolicy } from "../../policy/rules.ts";
import { openFence } from "../fence/on-disk.ts";
import { memoryFilesThrough, type MemoryFiles } from "./memory-files.ts";
import { openMemoryFence } from "../fence/in-memory.ts";
import { gitToplevel } from "../walk/repository.ts";
import { openDescriptors, plantTree, type Planted, type Tree } from "../tree.testing.ts";

const asRoot = process.getuid?.() === 0;
const nobody = 65_534;

type Opened = MemoryFiles & { tree: Tree };

/** Memory files of a tree on disk, with `project` as the folder to work in. */
function opened(entries: Record<string, Planted>, project = ".", policy: RulePolicy = readOnlyPolicy()): Opened {
  const tree = plantTree(entries);
  const fence = openFence(join(tree.root, project), policy);
  onTestFinished(() => {
    fence.close();
    tree.remove();
  });
  return { tree, ...memoryFilesThrough(fence, gitToplevel(fence.root)) };
}

function inMemory(files: Record<string, string>): MemoryFiles {
  const fence = openMemoryFence(files, readOnlyPolicy());
  onTestFinished(() => fence.close());
  return memoryFilesThrough(fence, undefined);
}

const loaded = (files: MemoryFiles): string[] => files.around().files.map(({ path, text }) => `${path}: ${text}`);

test("from the repository's toplevel down to the root, what is nearest last, and nothing above or below", () => {
  const memory = opened(
    {
      "CLAUDE.md": "above the repository",
      "repo/.git/HEAD": "",
      "repo/CLAUDE.md": "claude",
      "repo/AGENTS.md": "agents",
      "repo/a/AGENTS.md": "a",
      "repo/a/b/AGENTS.md": "b",
      "repo/a/b/c/AGENTS.md": "c",
      "repo/other/AGENTS.md": "other",
    },
    "repo/a/b",
  );
  expect(memory.around()).toEqual({
    files: [
      { path: "../../AGENTS.md", text: "agents" },
      { path: "../../CLAUDE.md", text: "claude" },
      { path: "../AGENTS.md", text: "a" },
      { path: "AGENTS.md", text: "b" },
    ],
    leftOut: [],
  });
  expect(memory.inFolders(["c", "missing"]).files).toEqual([{ path: "c/AGENTS.md", text: "c" }]);
  expect(memory.inFolders(["c"]).files).toEqual([]);
});

test("outside a repository nothing above the root is looked at", () => {
  expect(loaded(opened({ "AGENTS.md": "above", "project/AGENTS.md": "own" }, "project"))).toEqual(["AGENTS.md: own"]);
});

test("nothing is looked for from the ceiling upwards, so a home folder under git stays closed to what lies in it", () => {
  const home: Record<string, Planted> = {
    "home/.git/HEAD": "",
    "home/AGENTS.md": "home",
    "home/taxes.txt": "private",
    "home/got/AGENTS.md": "@../taxes.txt",
    "home/got/project/AGENTS.md": "own",
    link: { link: "home" },
  };
  const tree = plantTree(home);
  const fence = openFence(join(tree.root, "home/got/project"), readOnlyPolicy());
  onTestFinished(() => {
    fence.close();
    tree.remove();
  });
  const below = (ceiling: string): string[] =>
    loaded(memoryFilesThrough(fence, gitToplevel(fence.root, join(tree.root, ceiling))));
  expect([below("home"), below("link")]).toEqual([["AGENTS.md: own"], ["AGENTS.md: own"]]);
  expect(below("none")).toContain("../../AGENTS.md: home");
});

test("a file under two names is loaded once, by link or by copy", () => {
  expect(loaded(opened({ "AGENTS.md": "a", "CLAUDE.md": { link: "AGENTS.md" } }))).toEqual(["AGENTS.md: a"]);
  expect(loaded(opened({ "AGENTS.md": { link: "CLAUDE.md" }, "CLAUDE.md": "a" }))).toEqual(["CLAUDE.md: a"]);
  expect(loaded(inMemory({ "AGENTS.md": "a", "CLAUDE.md": "a" }))).toEqual(["AGENTS.md: a"]);
  expect(loaded(inMemory({ "AGENTS.md": "a", "CLAUDE.md": "@AGENTS.md" }))).toEqual([
    "AGENTS.md: a",
    "CLAUDE.md: @AGENTS.md",
  ]);
});

test("of a file full of imports only the first are looked up, and that is said", () => {
  const text = `${Array.from({ length: 500 }, (_, at) => `@none${at}`).join(" ")} @rules.md @more.md`;
  const memory = inMemory({ "AGENTS.md": text, "rules.md": "beyond" });
  expect(memory.around()).toEqual({
    files: [{ path: "AGENTS.md", text }],
    leftOut: ["2 more words with an @ in AGENTS.md are not looked up."],
  });
});

test("a parent's import is relative to the parent, and stands before it", () => {
  const memory = opened(
    { ".git/HEAD": "", "CLAUDE.md": "@a/sub/RULES.md @a/AGENTS.md", "a/AGENTS.md": "a", "a/sub/RULES.md": "CANARY" },
    "a/sub",
  );
  expect(loaded(memory)).toEqual([
    "RULES.md: CANARY",
    "../AGENTS.md: a",
    "../../CLAUDE.md: @a/sub/RULES.md @a/AGENTS.md",
  ]);
});

test("above the root only memory files on the way down are read, by an import or a link", () => {
  const memory = opened(
    {
      ".git/HEAD": "",
      "AGENTS.md": "@other/notes.md @other/AGENTS.md @README.md @sub/../other/notes.md @someone @missing.md",
      "CLAUDE.md": { link: "other/notes.md" },
      "README.md": "readme",
      "other/notes.md": "notes",
      "other/AGENTS.md": "others",
      "sub/": "",
    },
    "sub",
  );
  const { files, leftOut } = memory.around();
  expect(files.map(({ path }) => path)).toEqual(["../AGENTS.md"]);
  const outside = "is outside the project, and no memory file of a folder around it.";
  expect(leftOut).toEqual([
    `../other/notes.md ${outside} (Imported by ../AGENTS.md.)`,
    `../other/AGENTS.md ${outside} (Imported by ../AGENTS.md.)`,
    `../README.md ${outside} (Imported by ../AGENTS.md.)`,
    `../other/notes.md ${outside} (Imported by ../AGENTS.md.)`,
    '"missing.md" does not lead to a file or folder in the project. (Imported by ../AGENTS.md.)',
    `../other/notes.md ${outside}`,
  ]);
});

test("imports go on from file to file, cycles end, and words with an @ are only words", () => {
  const memory = inMemory({
    "AGENTS.md": "@docs/a.md, says @someone, about @scope/package and @docs/",
    "docs/a.md": "@./b.md @../AGENTS.md",
    "docs/b.md": "@a.md b",
  });
  expect(memory.around()).toEqual({
    files: [
      { path: "docs/b.md", text: "@a.md b" },
      { path: "docs/a.md", text: "@./b.md @../AGENTS.md" },
      { path: "AGENTS.md", text: "@docs/a.md, says @someone, about @scope/package and @docs/" },
    ],
    leftOut: [],
  });
});

test("imports end at the fourth file and at the hundredth", () => {
  const chain = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`${n}.md`, `@${n + 1}.md`]));
  const deep = inMemory({ "AGENTS.md": "@0.md", ...chain }).around();
  expect(deep.files.map(({ path }) => path)).toEqual(["3.md", "2.md", "1.md", "0.md", "AGENTS.md"]);
  expect(deep.leftOut).toEqual(["4.md is imported 5 files deep. (Imported by 3.md.)"]);

  const names = Array.from({ length: 200 }, (_, n) => `${n}.txt`);
  const wide = inMemory({
    "AGENTS.md": names.map((name) => `@${name}`).join(" "),
    ...Object.fromEntries(names.map((name) => [name, name])),
  }).around();
  expect([wide.files.length, wide.leftOut.length]).toEqual([100, 101]);
});

test("nothing is imported past the fence or the policy, and it is said", () => {
  const memory = opened(
    {
      ".git/HEAD": "",
      "secret.md": "above the project",
      "project/.env": "KEY=1",
      "project/AGENTS.md":
        "@../secret.md @../../outside/secret.txt @.env @~/x.md @/etc/passwd @missing.md @way-out @bin",
      "project/way-out": { link: "OUTSIDE/secret.txt" },
      "project/bin": Buffer.of(0),
    },
    "project",
  );
  const { files, leftOut } = memory.around();
  expect(files.map(({ path }) => path)).toEqual(["AGENTS.md"]);
  expect(leftOut).toEqual([
    '"../secret.md" climbs out of the project. (Imported by AGENTS.md.)',
    '"../../outside/secret.txt" climbs out of the project. (Imported by AGENTS.md.)',
    '".env" is protected (environment files, which may hold secrets): it is never read in this mode. (Imported by AGENTS.md.)',
    '"~/x.md" starts with ~, which is not expanded: only the project can be reached. (Imported by AGENTS.md.)',
    '"/etc/passwd" is outside the project. (Imported by AGENTS.md.)',
    '"missing.md" does not lead to a file or folder in the project. (Imported by AGENTS.md.)',
    "bin is a binary file. (Imported by AGENTS.md.)",
  ]);
});

test("a link that leads out of the project is no memory file", () => {
  const memory = opened({
    "AGENTS.md": { link: "OUTSIDE/secret.txt" },
    "CLAUDE.md": { link: "../outside/secret.txt" },
  });
  expect(memory.around()).toEqual({ files: [], leftOut: [] });
});

test("a file above imports nothing that the project's rules deny by its own paths", () => {
  const policy = policyFrom([
    { name: "all", globs: ["**"], access: ["read"], decision: "allow" },
    { name: "drafts", globs: ["/drafts/**"], access: ["read"], decision: "deny" },
    { name: "plans", globs: ["plan.md"], access: ["read"], decision: "ask" },
  ]);
  const memory = opened(
    { ".git/HEAD": "", "AGENTS.md": "@sub/drafts/a @sub/plan.md", "sub/drafts/a": "draft", "sub/plan.md": "plan" },
    "sub",
    policy,
  );
  const { files, leftOut } = memory.around();
  expect(files.map(({ path }) => path)).toEqual(["../AGENTS.md"]);
  expect(leftOut).toEqual([
    '"sub/drafts/a" is protected (drafts): it is never read in this mode. (Imported by ../AGENTS.md.)',
    "plan.md may only be opened by a person (plans). (Imported by ../AGENTS.md.)",
  ]);
});

test.runIf(asRoot)("a file of another user is left out, unless the project is theirs", () => {
  const { tree, ...memory } = opened({ ".git/HEAD": "", "AGENTS.md": "planted", "sub/CLAUDE.md": "mine" }, "sub");
  chownSync(join(tree.root, "AGENTS.md"), nobody, nobody);
  expect(memory.around()).toEqual({
    files: [{ path: "CLAUDE.md", text: "mine" }],
    leftOut: ["../AGENTS.md belongs to another user."],
  });
  chownSync(join(tree.root, "sub"), nobody, nobody);
  const fence = openFence(join(tree.root, "sub"), readOnlyPolicy());
  onTestFinished(() => fence.close());
  expect(loaded(memoryFilesThrough(fence, tree.root))).toEqual(["../AGENTS.md: planted", "CLAUDE.md: mine"]);
});

test.runIf(asRoot)("a repository that another user put around the project gives it no memory", () => {
  const { tree, ...memory } = opened({ ".git/HEAD": "", "AGENTS.md": "mine, but theirs to link", "sub/": "" }, "sub");
  chownSync(join(tree.root, ".git"), nobody, nobody);
  expect(memory.around()).toEqual({ files: [], leftOut: [] });
});

test("what is no text file, or too large, is said; an empty one is not", () => {
  const { tree, ...memory } = opened({ "CLAUDE.md": " \n" });
  mkdirSync(join(tree.root, "AGENTS.md"));
  writeFileSync(join(tree.root, "big.md"), "x".repeat(1_048_577));
  writeFileSync(join(tree.root, "CLAUDE.md"), "@big.md");
  expect(memory.around()).toEqual({
    files: [{ path: "CLAUDE.md", text: "@big.md" }],
    leftOut: [
      '"AGENTS.md" is a folder.',
      '"big.md" has 1048577 bytes, more than the 1048576 to be read whole. (Imported by CLAUDE.md.)',
    ],
  });
  expect(inMemory({ "AGENTS.md": " \n" }).around()).toEqual({ files: [], leftOut: [] });
});

test("nothing stays open", () => {
  const memory = opened({ ".git/HEAD": "", "AGENTS.md": "@b.md @.env", "sub/AGENTS.md": "x" }, "sub");
  const before = openDescriptors();
  memory.around();
  memory.inFolders(["a", "b"]);
  expect(openDescriptors()).toBe(before);
});
