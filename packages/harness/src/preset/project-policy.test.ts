import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { projectPolicy } from "./project-policy.ts";

let root = "";
beforeEach(() => void (root = realpathSync(mkdtempSync(join(tmpdir(), "croft-test-")))));
afterEach(() => rmSync(root, { recursive: true }));

function put(path: string, content = ""): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** Of some paths, those that are a question to write for what git is set to. */
function questions(paths: readonly string[], at = root): string[] {
  const policy = projectPolicy([], at);
  return paths.filter((path) => {
    const { decision, rule } = policy.judge(path, "write");
    return decision === "ask" && rule === "what git is set to run or to obey";
  });
}

test("what git is set to run or to obey is a question to write, there or not, and nothing else is", () => {
  put("tools/clean.py");
  put("src/a.ts");
  put("filter");
  put(
    ".git/config",
    [
      "[core]",
      "\tbare = false",
      "\thooksPath = scripts/hooks",
      "\tfsmonitor = true",
      "[include]",
      "\tpath = ../team[1].gitconfig",
      '[filter "x"]',
      "\tclean = python3 tools/clean.py %f",
      "\tsmudge = filter",
      '[diff "y"]',
      "\ttextconv = ./not/yet --flag src/a.ts",
      "[alias]",
      "\tst = status -- src/a.ts",
      "\tall = !cd src && ls",
      "\tfmt = log --format=%h/%s",
      '[remote "origin"]',
      "\turl = src/a.ts",
    ].join("\n"),
  );
  put("team[1].gitconfig", "[core]\n\tsshCommand = bin/ssh\n[include]\n\tpath = more.gitconfig\n");
  put("more.gitconfig", "[include]\n\tpath = more.gitconfig\n");
  const named = ["scripts/hooks/pre-commit", "team[1].gitconfig", "tools/clean.py", "filter", "not/yet", "bin/ssh"];
  const free = ["src/a.ts", "src/b.ts", "scripts/build", "team1.gitconfig", "tools/other.py", "true", "x/filter"];
  expect(questions([...named, "more.gitconfig", ...free])).toEqual([...named, "more.gitconfig"]);
});

test("the settings of git count in a root that is named through a link; what git did not make names nothing", () => {
  put("real/.git/config", "[core]\n\thooksPath = hooks\n");
  put("odd/.git", "gitdir: ../real/.git\n");
  symlinkSync("real", join(root, "link"));
  expect(questions(["hooks/pre-push"], join(root, "link"))).toEqual(["hooks/pre-push"]);
  expect(questions(["hooks/pre-push"], join(root, "odd"))).toEqual([]);
  expect(questions(["hooks/pre-push"], join(root, "nowhere"))).toEqual([]);
});

test("a rule of the user's opens it, and the question is no leave to what is never written", () => {
  put(".git/config", "[core]\n\thooksPath = hooks\n[include]\n\tpath = ../.croft/git\n");
  const opened = { name: "hooks are mine", globs: ["hooks"], access: ["write"], decision: "allow" } as const;
  const policy = projectPolicy([opened], root);
  expect([policy.judge("hooks/a", "write").decision, policy.judge(".croft/git", "write").decision]).toEqual([
    "allow",
    "deny",
  ]);
});
