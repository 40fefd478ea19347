import { chmodSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { locateRipgrep } from "./ripgrep-program.ts";
import { plantTree, type Tree } from "../tree.testing.ts";

let tree: Tree;
const missing = (): Promise<string> => Promise.reject(new Error("no package for this system"));

beforeEach(() => {
  tree = plantTree({
    "first/rg/": "",
    "second/rg": "plain",
    "third/rg": "#!/bin/sh",
    "fourth/rg": "#!/bin/sh",
    rg: "#!/bin/sh",
  });
  for (const name of ["third/rg", "fourth/rg", "rg"]) chmodSync(join(tree.root, name), 0o755);
  mkdirSync(join(tree.root, "empty"));
});
afterEach(() => tree.remove());

function searchPath(...folders: string[]): string {
  return folders.map((folder) => (folder === "" || folder === "." ? folder : join(tree.root, folder))).join(delimiter);
}

test("the installed program comes first", async () => {
  expect(await locateRipgrep(searchPath("third"))).toMatch(/@vscode.*[\\/]rg(\.exe)?$/);
});

test("without it, the first program in an absolute folder is taken: no folder, no plain file", async () => {
  expect(await locateRipgrep(searchPath("empty", "first", "second", "third", "fourth"), missing)).toBe(
    join(tree.root, "third/rg"),
  );
});

test("the current folder is never searched", async () => {
  const before = process.cwd();
  process.chdir(tree.root);
  try {
    await expect(locateRipgrep(searchPath("", ".", "empty"), missing)).rejects.toMatchObject({ code: "E_NO_RIPGREP" });
    await expect(locateRipgrep("third", missing)).rejects.toMatchObject({ code: "E_NO_RIPGREP" });
  } finally {
    process.chdir(before);
  }
});

test("what npm puts in front of the PATH, the project's own, is passed over", async () => {
  const packages = plantTree({ "node_modules/.bin/rg": "#!/bin/sh" });
  chmodSync(join(packages.root, "node_modules/.bin/rg"), 0o755);
  const own = join(packages.root, "node_modules/.bin");
  try {
    expect(await locateRipgrep([own, `${own}/`, searchPath("third")].join(delimiter), missing)).toBe(
      join(tree.root, "third/rg"),
    );
  } finally {
    packages.remove();
  }
});

test("with none at all, the failure says what to do", async () => {
  await expect(locateRipgrep("", missing)).rejects.toMatchObject({
    code: "E_NO_RIPGREP",
    message: "ripgrep, which searches are made with, is not installed here.",
    remedy: "Install croft again without leaving out optional dependencies, or install ripgrep (rg) on the PATH.",
  });
});
