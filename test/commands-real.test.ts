/** Commands of every day, in real projects, as a model runs them through croft: each ends as whoever waits for it expects. */

import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { call, say, type Part } from "@croft/harness/testing";
import { croft, makeWorld, type World } from "./cli/croft.ts";
import { key, serve } from "./cli/server.ts";
import { needs } from "./support/needs.ts";

/** Toolchains that CI need not have: skipped in sight there too. */
const has = (program: string): boolean => needs(program, { PATH: process.env["PATH"] });
const enclosed = process.platform === "linux" && needs("bwrap");
const run = (argv: readonly string[], timeout_seconds = 60): Part => call("run_command", { argv, timeout_seconds });
const shell = (command: string): Part => call("run_shell", { command });
const edit = (path: string, old_string: string, new_string: string): readonly Part[] => [
  call("read_file", { path }),
  call("edit_file", { path, old_string, new_string }),
];

/** What the model is told, call by call. */
async function results(world: World, ...calls: readonly Part[]): Promise<string[]> {
  const server = await serve([...calls, say("Done.")]);
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url };
  await croft(world, ["run", "--yes", "Go."], { env: { ...env, ...toolchains() } });
  return server.requests.slice(1).flatMap(({ body }) => {
    const blocks: unknown = body.messages.at(-1)?.content;
    const parts = Array.isArray(blocks) ? blocks.flatMap((block) => Object(block).content ?? []) : [];
    return parts.map((part) => String(Object(part).text));
  });
}

/** Where toolchains say that they are. */
function toolchains(): Record<string, string | undefined> {
  const { PYENV_ROOT, RUSTUP_HOME, CARGO_HOME, GOROOT, HOME = "" } = process.env;
  return {
    PYENV_ROOT: PYENV_ROOT ?? `${HOME}/.pyenv`,
    RUSTUP_HOME: RUSTUP_HOME ?? `${HOME}/.rustup`,
    CARGO_HOME: CARGO_HOME ?? `${HOME}/.cargo`,
    GOROOT,
  };
}

function repository(files: Readonly<Record<string, string>>): World {
  const world = makeWorld(files);
  const git = (...args: string[]): unknown => execFileSync("git", args, { cwd: world.project });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "T");
  git("config", "user.email", "t@example.com");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  return world;
}

const suites = {
  "npm test": {
    program: "npm",
    argv: ["npm", "test"],
    files: {
      "package.json": JSON.stringify({ name: "sums", version: "1.0.0", scripts: { test: "node --test" } }),
      "sum.js": "exports.add = (a, b) => a - b;\n",
      "sum.test.js":
        'require("node:test")("adds", () => require("node:assert").equal(require("./sum.js").add(2, 1), 3));\n',
    },
    fix: edit("sum.js", "a - b", "a + b"),
    fails: /^exit code 1\n[^]*fail 1/,
    passes: /^exit code 0\n[^]*pass 1/,
  },
  pytest: {
    program: "pytest",
    argv: ["pytest", "-q"],
    files: {
      "sums.py": "def add(a, b):\n    return a - b\n",
      "test_sums.py": "from sums import add\n\n\ndef test_add():\n    assert add(2, 1) == 3\n",
    },
    fix: edit("sums.py", "a - b", "a + b"),
    fails: /^exit code 1\n[^]*1 failed/,
    passes: /^exit code 0\n[^]*1 passed/,
  },
  "cargo test": {
    program: "cargo",
    argv: ["cargo", "test", "--offline"],
    files: {
      "Cargo.toml": '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs":
        "pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n\n#[test]\nfn adds() {\n    assert_eq!(add(2, 1), 3);\n}\n",
      ".gitignore": "target\n",
    },
    fix: edit("src/lib.rs", "a - b", "a + b"),
    fails: /^exit code 101\n[^]*1 failed/,
    passes: /^exit code 0\n[^]*1 passed/,
  },
  "go test": {
    program: "go",
    argv: ["go", "test", "./..."],
    files: {
      "go.mod": "module sums\n\ngo 1.20\n",
      "sum.go": "package sums\n\nfunc Add(a, b int) int { return a - b }\n",
      "sum_test.go":
        'package sums\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(2, 1) != 3 {\n\t\tt.Fatal("wrong")\n\t}\n}\n',
    },
    fix: edit("sum.go", "a - b", "a + b"),
    fails: /^exit code 1\n[^]*FAIL/,
    passes: /^exit code 0\n[^]*ok/,
  },
};

describe.runIf(enclosed)("in the sandbox", () => {
  for (const [name, { program, argv, files, fix, fails, passes }] of Object.entries(suites)) {
    test.runIf(has(program))(`${name} fails, and passes once the fault is gone`, async () => {
      const [before, , , after] = await results(repository(files), run(argv), ...fix, run(argv));
      expect(before).toMatch(fails);
      expect(after).toMatch(passes);
    });
  }

  test.runIf(needs("git"))("a day with git: branch, commit, conflict, merge, stash, tag, worktree", async () => {
    const world = repository({ "a.txt": "one\n" });
    const said = await results(
      world,
      run(["git", "switch", "-c", "topic"]),
      shell("echo topic > a.txt"),
      shell("git add -A && git commit -m topic"),
      run(["git", "switch", "main"]),
      shell("echo main > a.txt"),
      run(["git", "commit", "-am", "main"]),
      run(["git", "merge", "topic"]),
      shell("echo both > a.txt"),
      shell("git add a.txt && git commit --no-edit"),
      shell("echo later > a.txt"),
      run(["git", "stash"]),
      run(["git", "stash", "pop"]),
      run(["git", "tag", "v1"]),
      run(["git", "log", "--oneline", "--graph"]),
      run(["git", "status", "--short"]),
    );
    const codes = said.map((text) => Number(/^exit code (\d+)/.exec(text)?.[1] ?? -1));
    expect(codes, said.join("\n")).toEqual([0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect([said[6], said.at(-2), said.at(-1)]).toEqual([
      expect.stringContaining("CONFLICT"),
      expect.stringMatching(/topic[^]*first/),
      expect.stringContaining(" M a.txt"),
    ]);
    const git = (...args: string[]): string => execFileSync("git", args, { cwd: world.project, encoding: "utf8" });
    expect([git("fsck", "--no-dangling"), git("branch", "--list").split("\n").length, git("tag")]).toEqual([
      "",
      3,
      "v1\n",
    ]);
  });

  test("a server started by mistake ends with its time, and the model is told how it is done", async () => {
    const files = { "server.js": "require('http').createServer().listen(0, () => console.log('listening'));\n" };
    const [answer] = await results(makeWorld(files), run(["node", "server.js"], 2));
    expect(answer).toMatch(/^timed out after 2 s; process tree killed\nlistening\n[^]*start_process/);
  });

  test("a watch mode ends with its time, and leaves nothing", async () => {
    const files = { "a.js": "console.log('ran', process.pid);\n" };
    const [answer, after] = await results(makeWorld(files), run(["node", "--watch", "a.js"], 2), run(["ls", "/proc"]));
    expect(answer).toMatch(/^timed out after 2 s; process tree killed\nran \d+/);
    expect((after ?? "").split("\n").filter((line) => /^\d+$/.test(line)).length).toBeLessThan(4);
  });

  test("what asks for a password, or for anything else, gets no answer and ends", async () => {
    const files = {
      "ask.sh": 'read -rsp "Password: " word < /dev/tty || read -rp "Really? " word; echo "got [$word]"\n',
    };
    const prompts = [
      ["bash", "ask.sh"],
      ["python3", "-c", "import getpass; print(repr(getpass.getpass()))"],
      ["perl", "-e", 'print "Name: "; my $name = <STDIN>; print defined $name ? "got" : "nothing", "\\n"'],
    ];
    const said = await results(makeWorld(files), ...prompts.map((argv) => run(argv, 20)));
    expect(said.filter((text) => text.startsWith("timed out"))).toEqual([]);
    expect([said[0], said[2]]).toEqual([expect.stringContaining("got []"), expect.stringContaining("nothing")]);
  });

  test("an install finds no network, says so soon, and changes nothing of the user's", async () => {
    const files = { "package.json": JSON.stringify({ name: "x", version: "1.0.0" }) };
    const [answer] = await results(makeWorld(files), run(["npm", "install", "left-pad", "--fetch-retries=0"], 50));
    expect(answer).toMatch(/^exit code [1-9]\d*\n/);
  });
});
