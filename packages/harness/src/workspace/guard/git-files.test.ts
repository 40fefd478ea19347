import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { needs } from "../../../../../test/support/needs.ts";
import { parseGitConfig, settingOf } from "./git-config.ts";
import { gitNameOf, parseGitIndex } from "./git-index.ts";

test.runIf(needs("git"))("an index of any version is read as git wrote it", () => {
  const folder = mkdtempSync(join(tmpdir(), "croft-test-"));
  const git = (...args: string[]): string => {
    const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    return execFileSync("git", args, { cwd: folder, env, encoding: "utf8" });
  };
  try {
    git("init", "-q");
    const names = ["a", "ab", "abcdefgh", "abcdefghi", "b ü", "x".repeat(120), "x".repeat(121), "z"];
    for (const name of names) writeFileSync(join(folder, name), `content of ${name}\n`);
    git("add", ".");
    git("add", "-N", "--", ".");
    const expected = new Map(names.map((name) => [name, gitNameOf(readFileSync(join(folder, name)))]));
    for (const version of ["2", "3", "4"]) {
      // Version 3 is what git writes where an entry has a further flag.
      if (version === "3") git("update-index", "--index-version", "2", "--skip-worktree", "ab");
      else git("update-index", "--index-version", version, "--no-skip-worktree", "ab");
      const index = readFileSync(join(folder, ".git/index"));
      expect([index.readUInt32BE(4), parseGitIndex(index)]).toEqual([Number(version), expected]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("what is no index is an empty one, wherever it breaks off", () => {
  expect(parseGitIndex(new Uint8Array())).toEqual(new Map());
  const index = Buffer.concat([Buffer.from("DIRC\0\0\0\x04\0\0\0\x05"), Buffer.alloc(62, 0xff)]);
  for (let length = 0; length <= index.length; length += 1) parseGitIndex(index.subarray(0, length));
  expect(parseGitIndex(index)).toEqual(new Map());
});

test("settings are read as git reads them", () => {
  const settings = parseGitConfig(
    [
      "# comment",
      "[core]\thooksPath = first",
      '[Core] # again\n\thookspath = "tools/ho;oks" ; comment',
      '[includeIf "gitdir:~/a \\"b\\""]\n path = x\\\n/y',
      '[include] path="a#b" c',
      "[broken\n =",
      "bare",
    ].join("\n"),
  );
  expect(settingOf(settings, "core", "hookspath")).toBe("tools/ho;oks");
  expect(settings.filter(({ name }) => name === "path")).toEqual([
    { section: 'includeif gitdir:~/a "b"', name: "path", value: "x/y" },
    { section: "include", name: "path", value: "a#b c" },
  ]);
});
