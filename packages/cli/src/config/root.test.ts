import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync, chownSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Failure } from "@croft/harness";
import { chooseRoot } from "./root.ts";

let base: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "croft-root-")));
  for (const folder of ["home", "repo/.git", "repo/src/deep", "plain"])
    mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(base, "repo/.git/HEAD"), "ref: refs/heads/main\n");
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

function root(cwd: string, asked?: string): string {
  return chooseRoot({ asked, cwd: join(base, cwd), home: join(base, "home") });
}

function code(cwd: string, asked?: string): string {
  try {
    return root(cwd, asked);
  } catch (error) {
    return error instanceof Failure ? error.code : String(error);
  }
}

test("without a folder it is the repository around the current one", () => {
  expect(root("repo/src/deep")).toBe(join(base, "repo"));
});

test("a linked worktree and a submodule count, an empty .git does not", () => {
  mkdirSync(join(base, "repo/src/.git"));
  mkdirSync(join(base, "tree/src"), { recursive: true });
  writeFileSync(join(base, "tree/.git"), "gitdir: /elsewhere\n");
  expect([root("repo/src/deep"), root("tree/src")]).toEqual([join(base, "repo"), join(base, "tree")]);
});

test("outside a repository it is the current folder", () => {
  expect(root("plain")).toBe(join(base, "plain"));
});

test("a folder that is named is taken exactly, as its real path", () => {
  symlinkSync(join(base, "repo/src"), join(base, "link"));
  expect([root("plain", "../repo/src"), root("plain", join(base, "link"))]).toEqual([
    join(base, "repo/src"),
    join(base, "repo/src"),
  ]);
});

test.runIf(process.getuid?.() === 0)("a repository that belongs to someone else is not widened to", () => {
  chownSync(join(base, "repo"), 12345, 12345);
  expect(root("repo/src")).toBe(join(base, "repo/src"));
});

test("the home folder and / are refused, through a link too", () => {
  symlinkSync(join(base, "home"), join(base, "to-home"));
  expect([code("home"), code("plain", "../home"), code("plain", "../to-home"), code("plain", "/")]).toEqual(
    Array.from({ length: 4 }, () => "E_ROOT_REFUSED"),
  );
});

test("a folder that holds the home folder is refused as well", () => {
  expect(code("plain", base)).toBe("E_ROOT_REFUSED");
});

test("below a home folder that is a repository it is the current folder", () => {
  mkdirSync(join(base, "home/.git"));
  mkdirSync(join(base, "home/notes"));
  writeFileSync(join(base, "home/.git/HEAD"), "");
  expect(root("home/notes")).toBe(join(base, "home/notes"));
});

test("what is no folder is told apart", () => {
  writeFileSync(join(base, "file"), "");
  expect(["../missing", "../file", "../file/below", "", "a".repeat(300)].map((asked) => code("plain", asked))).toEqual([
    "E_NO_FOLDER",
    "E_NOT_A_FOLDER",
    "E_NOT_A_FOLDER",
    "E_NO_FOLDER",
    "E_UNREADABLE",
  ]);
});
