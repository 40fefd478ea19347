import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { makeWorld, put, treeOf, turnOf, worldIn, type World } from "./undo.testing.ts";

const never = new AbortController().signal;

function git(folder: string, ...args: string[]): string {
  const identity = [
    "-c",
    "user.name=a",
    "-c",
    "user.email=a@b",
    "-c",
    "protocol.file.allow=always",
    "-c",
    "init.defaultBranch=main",
  ];
  const env = { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", [...identity, ...args], {
    cwd: folder,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/** A repository in which everything that git keeps for the user is in use: index, stash, reflog, a second branch. */
function busyRepository(folder: string): void {
  git(folder, "init", "-q");
  put(folder, "a.txt", "one\n");
  git(folder, "add", ".");
  git(folder, "commit", "-qm", "one");
  git(folder, "checkout", "-qb", "other");
  put(folder, "a.txt", "stashed\n");
  git(folder, "stash", "-q");
  put(folder, "staged.txt", "staged\n");
  git(folder, "add", "staged.txt");
  put(folder, "data.bin", "\0\u0001untracked");
  put(folder, ".gitignore", "big/\n");
  put(folder, "big/ignored.txt", "ignored\n");
}

/** A turn and its undo, around which git's own folder must not change by a byte. */
async function turnAndUndo(world: World, gitFolder: string): Promise<void> {
  const before = treeOf(world.project);
  const ofGit = treeOf(gitFolder);
  await turnOf(world, "Work", {
    "a.txt": "two\n",
    "new.txt": "new\n",
    "big/ignored.txt": "other\n",
    "big/new.txt": "n\n",
  });
  put(world.project, "later.bin", "made by the user after the turn");
  expect((await world.undo.undo(never)).left).toEqual([]);
  expect(treeOf(gitFolder)).toEqual(ofGit);
  rmSync(path.join(world.project, "later.bin"));
  expect(treeOf(world.project)).toEqual(before);
}

describe("undo never touches git, and needs none", () => {
  test("in a repository with index, stash, reflog, untracked and ignored files", async () => {
    using world = makeWorld();
    busyRepository(world.project);
    await turnAndUndo(world, path.join(world.project, ".git"));
    expect(git(world.project, "status", "--porcelain")).toBe("A  staged.txt\n?? .gitignore\n?? data.bin\n");
  });

  test("in a repository without commits", async () => {
    using world = makeWorld({ "a.txt": "one\n", "big/ignored.txt": "i" });
    git(world.project, "init", "-q");
    await turnAndUndo(world, path.join(world.project, ".git"));
  });

  test("in a folder without git", async () => {
    using world = makeWorld({ "a.txt": "one\n", "big/ignored.txt": "i" });
    await turnAndUndo(world, mkFolder(path.join(world.base, "nothing")));
  });

  test("in a linked worktree", async () => {
    using world = makeWorld();
    const main = mkFolder(path.join(world.base, "main"));
    busyRepository(main);
    rmSync(world.project, { recursive: true });
    git(main, "worktree", "add", "-q", "--detach", world.project, "main");
    using inWorktree = makeWorldAt(world);
    put(inWorktree.project, "big/ignored.txt", "i");
    await turnAndUndo(inWorktree, path.join(main, ".git"));
  });

  test("in a submodule, and in the project around it", async () => {
    using world = makeWorld();
    const library = mkFolder(path.join(world.base, "library"));
    busyRepository(library);
    git(library, "commit", "-qm", "two");
    busyRepository(world.project);
    git(world.project, "submodule", "add", "-q", library, "sub");
    await turnAndUndo(world, path.join(world.project, ".git"));
    const before = treeOf(world.project);
    await turnOf(world, "Below", { "sub/a.txt": "other\n", "sub/new.txt": "new\n" });
    await world.undo.undo(never);
    expect(treeOf(world.project)).toEqual(before);
  });
});

function mkFolder(folder: string): string {
  mkdirSync(folder);
  return folder;
}

/** The fence holds the project's folder: one that was replaced needs a new one. */
function makeWorldAt({ base }: World): World {
  return { ...worldIn(base), [Symbol.dispose]() {} };
}
