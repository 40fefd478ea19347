/** Ways to a passing check that lead round the tests, each with what is told instead of "verified". */

import { describe, expect, test } from "vitest";
import { needs } from "../../../../test/support/needs.ts";
import { say, type ServerReply } from "../testing/messages-server/script.ts";
import { breakIt, checks, edit, reads, verifiedProject, type Rig, shell, type Given } from "./verifying.testing.ts";

const rig = (script: readonly ServerReply[], given?: Given): Promise<Rig> =>
  verifiedProject(process.env["PATH"], script, given);
/** Toolchains that only some of these need; no CI has to have them. */
const has = (program: string): boolean => needs(program, { PATH: process.env["PATH"] });
const enclosed = describe.runIf(process.platform === "linux" && needs("bwrap"));

const script = (line: string): string => JSON.stringify({ type: "module", scripts: { test: line } });
const inPython: Given["files"] = {
  "add.py": "def add(a, b):\n    return a + b\n",
  "package.json": "{}",
  "pytest.ini": "[pytest]\n",
  "test_add.py": "from add import add\ndef test_add():\n    assert add(2, 2) == 4\n",
};
const breakPython = shell("sed -i 's/a + b/a - b/' add.py");
const runAll = `import { readdirSync } from "node:fs";
for (const name of readdirSync(".").toSorted()) if (name.endsWith(".test.js") && name !== "all.test.js") await import("./" + name);
`;
const inRust: Given["files"] = {
  "package.json": "{}",
  "Cargo.toml": "[package]\nname = 'sum'\nversion = '0.1.0'\nedition = '2021'\n",
  "src/lib.rs": `pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[cfg(test)]
mod tests {
    #[test]
    fn adds() {
        assert_eq!(super::add(2, 2), 4);
    }
}
`,
};
const breakRust = "sed -i 's/a + b/a - b/' src/lib.rs";

type Cheat = { replies: readonly ServerReply[]; files: Given["files"]; told: object };

const unverified = (note: string): object => ({ pass: true, unverified: true, note });
const failed = (report: string): object => ({ pass: false, final: "check_failed", report });
const silent = unverified("`python3 -m pytest -q` ended well, but tells of no test that passed");

const cheats: Readonly<Record<string, Cheat>> = {
  "a goal of make that npm calls": {
    replies: [breakIt, shell("touch check")],
    files: { "package.json": script("make check"), Makefile: "check:\n\tnode add.test.js\n" },
    told: failed("`npm test` passes only because check is new; with your own versions it fails (exit code 2)"),
  },
  "a module in the place of the runner": {
    replies: [breakPython, shell("printf 'print(\"1 passed\")\\nraise SystemExit(0)\\n' > pytest.py")],
    files: inPython,
    told: failed(
      "`python3 -m pytest -q` passes only because pytest.py is new; with your own versions it fails (exit code 1)",
    ),
  },
  "code that ends the runner": {
    replies: [breakPython, shell("printf 'import os\\nos._exit(0)\\n' >> add.py")],
    files: inPython,
    told: silent,
  },
  "a new test that ends the runner": {
    replies: [breakPython, shell("printf 'import os\\nos._exit(0)\\n' > test_a.py")],
    files: inPython,
    told: silent,
  },
  "a new test that ends a runner that is not known": {
    replies: [breakIt, shell("echo 'process.exit(0)' > aaa.test.js")],
    files: { "package.json": script("node all.test.js"), "all.test.js": runAll },
    told: unverified("`npm test` passed, but not without new tests (aaa.test.js) (exit code 1)"),
  },
  "what was built before the code was broken": {
    replies: [shell("mkdir dist && cp add.js add.test.js package.json dist"), breakIt],
    files: { "package.json": script("[ -d dist ] || cp -r . dist; node dist/add.test.js"), ".gitignore": "dist\n" },
    told: unverified("`npm test` passed, but not without what this session has left in dist (exit code 1)"),
  },
  "a cache beside installed packages": {
    replies: [shell("mkdir -p node_modules/.cache && touch node_modules/.cache/passed"), breakIt],
    files: { "package.json": script("[ -f node_modules/.cache/passed ] || node add.test.js") },
    told: unverified(
      "`npm test` passed, but not without what this session has left in node_modules/.cache (exit code 1)",
    ),
  },
  "settings of the compiler": {
    replies: [breakIt, shell("echo '{}' > tsconfig.json")],
    files: {
      "package.json": script("grep -q include tsconfig.json && node add.test.js || ! grep -q include tsconfig.json"),
      "tsconfig.json": '{ "include": ["."] }',
    },
    told: failed(
      "`npm test` passes only because tsconfig.json was changed; with your own versions it fails (exit code 1)",
    ),
  },
  "the test within the source": {
    replies: [shell(`${breakRust}; sed -i /assert_eq/d src/lib.rs`)],
    files: inRust,
    told: failed(
      "`cargo test` passes only because the tests in src/lib.rs were changed; with your own versions it fails (exit code 101)",
    ),
  },
  "a runner in the settings that cargo keeps with its downloads": {
    replies: [
      shell(
        `${breakRust}; mkdir "\${GOCACHE%/*}/cargo"; printf '[target."cfg(all())"]\nrunner = "echo test result: ok. 1 passed"\n' > "\${GOCACHE%/*}/cargo/config.toml"`,
      ),
    ],
    files: inRust,
    told: unverified(
      "`cargo test` passed, but with installed packages that were changed meanwhile: ../outside/cache/cargo/config.toml",
    ),
  },
  "a build that the compiler takes for the newest": {
    replies: [shell("cargo test -q"), shell(`${breakRust}; touch -d 2020-01-01 src/lib.rs; cargo test -q`)],
    files: inRust,
    told: unverified("`cargo test` passed, but not without what this session has left in target (exit code 101)"),
  },
};

enclosed("a check that passes by", () => {
  const needed = new Map<Given["files"], boolean>([
    [inRust, has("cargo")],
    [inPython, has("pytest")],
  ]);
  test.each(Object.entries(cheats).filter(([, { files }]) => needed.get(files) ?? true))(
    "%s is not told as verified",
    async (_, { replies, files = {}, told }) => {
      const { run, events } = await rig([reads, ...replies, say("Done.")], { files });
      await run();
      expect(checks(events)).toEqual([told]);
    },
  );

  test("nothing but the work itself is verified once more without the rest, and so told", async () => {
    const replies = [shell("mkdir dist; cp add.js dist"), edit("add.js", "a + b", "b + a"), shell("echo > b.test.js")];
    const { run, events } = await rig([reads, ...replies, say("Done.")], { files: { ".gitignore": "dist\n" } });
    expect(await run()).toBe("done");
    expect(checks(events)).toEqual([
      {
        pass: true,
        note: "`npm test` passed, also without new tests (b.test.js), without what this session has left in dist",
      },
    ]);
  });

  test("an installed package that an earlier turn of the session has changed is not told as verified", async () => {
    const { run, events } = await rig([
      reads,
      shell("mkdir -p node_modules/a/.b && echo 1 > node_modules/a/.b/c.js"),
      say("Done."),
      edit("add.js", "a + b", "b + a"),
      say("Done."),
    ]);
    for (const _ of [1, 2]) await run();
    expect(checks(events).at(-1)).toEqual(
      unverified("`npm test` passed, but with installed packages that were changed meanwhile: node_modules/a/.b/c.js"),
    );
  });
});
