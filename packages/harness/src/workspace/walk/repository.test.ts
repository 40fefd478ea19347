import { join } from "node:path";
import { expect, test } from "vitest";
import { plantTree, type Planted } from "../tree.testing.ts";
import { gitToplevel, isRepository } from "./repository.ts";

const kinds: readonly [what: string, entries: Record<string, Planted>, is: boolean][] = [
  ["a .git with a HEAD", { "top/.git/HEAD": "" }, true],
  ["a .git with a HEAD that is a dangling link", { "top/.git/HEAD": { link: "refs/heads/main" } }, true],
  ["the .git of a linked worktree or submodule", { "top/.git": "gitdir: /elsewhere\n" }, true],
  ["a .git that is a link to a repository's", { "top/.git": { link: "../real/.git" }, "real/.git/HEAD": "" }, true],
  ["an empty .git", { "top/.git/": "" }, false],
  ["another file named .git", { "top/.git": "needle" }, false],
  ["a large file named .git", { "top/.git": `gitdir: ${"x".repeat(9_000)}` }, false],
  ["no .git", { "top/": "" }, false],
];

test.each(kinds)("%s: the folder is a repository, or is not, and its toplevel goes by that", (_, entries, is) => {
  const tree = plantTree({ ...entries, "top/a/b/": "" });
  const top = join(tree.root, "top");
  try {
    expect([isRepository(top), isRepository(`${top}/a/..`)]).toEqual([is, is]);
    expect([gitToplevel(top), gitToplevel(join(top, "a/b"))]).toEqual([undefined, is ? top : undefined]);
  } finally {
    tree.remove();
  }
});
