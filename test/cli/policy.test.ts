import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { croft, makeWorld } from "./croft.ts";

const config = '{ "policy": { "deny": ["private"] }, "commands": { "deny": ["make deploy"] } }';
const files = { "a.ts": "", ".env": "", Makefile: "", "private/x": "", ".croft/config.jsonc": config };

async function explained(...words: string[]): Promise<string> {
  const world = makeWorld(files);
  symlinkSync("a.ts", join(world.project, "link.ts"));
  symlinkSync("/etc/passwd", join(world.project, "out"));
  const { code, out, err } = await croft(world, ["policy", "explain", ...words]);
  expect([code, err]).toEqual([0, ""]);
  return out;
}

const outside = [
  "  read     refuse: a path outside the project",
  "  write    refuse: a path outside the project",
  "  sandbox  is not there, but for what the system needs",
];

test.each([
  [
    "a.ts",
    [
      "a.ts",
      "  read     allow: project files",
      "  write    ask, with --yes allow: project files",
      "  sandbox  can be read and written",
    ],
  ],
  [
    "link.ts",
    [
      "a.ts",
      "  read     allow: project files",
      "  write    ask, with --yes allow: project files",
      "  sandbox  can be read and written",
    ],
  ],
  [
    "Makefile",
    [
      "Makefile",
      "  read     allow: project files",
      "  write    ask, with --yes allow: project files",
      "  sandbox  can be read and written",
    ],
  ],
  [
    ".env",
    [
      ".env",
      "  read     ask: environment files, which may hold secrets",
      "  write    ask: environment files, which may hold secrets",
      "  sandbox  can be neither read nor written, unless git has it just so",
    ],
  ],
  [
    ".github/workflows/ci.yml",
    [
      ".github/workflows/ci.yml",
      "  read     allow: project files",
      "  write    ask: CI definitions, which run elsewhere",
      "  sandbox  can be read",
    ],
  ],
  [
    "node_modules/x/index.js",
    [
      "node_modules/x/index.js",
      "  read     allow: project files",
      "  write    ask: installed packages",
      "  sandbox  can be read and written",
    ],
  ],
  [
    "private/x",
    [
      "private/x",
      "  read     refuse: policy.deny in .croft/config.jsonc:1",
      "  write    refuse: policy.deny in .croft/config.jsonc:1",
      "  sandbox  can be neither read nor written, unless git has it just so",
    ],
  ],
  ["../b", ["../b", ...outside]],
  ["/etc/passwd", ["/etc/passwd", ...outside]],
  ["out", ["out", ...outside]],
])("the path %s", async (path, lines) => {
  expect((await explained(path)).trimEnd().split("\n")).toEqual(lines);
});

test("a command, part by part, in the sandbox and without one", async () => {
  expect(await explained("npm test && rm -r dist")).toBe(
    [
      "npm test && rm -r dist",
      "  npm test: allow, the rule `npm test` (allow)",
      "  rm -r dist: ask, the rule `rm` (ask)",
      "  in the sandbox     ask",
      "  without a sandbox  ask",
      "",
    ].join("\n"),
  );
  expect(await explained("npm", "test")).toContain("  in the sandbox     allow\n  without a sandbox  ask\n");
  expect(await explained("node", "x.js")).toContain(
    "  in the sandbox     ask, with --yes allow\n  without a sandbox  ask\n",
  );
  expect(await explained("make", "deploy")).toContain("  in the sandbox     refuse\n  without a sandbox  refuse\n");
  expect(await explained("--", "git", "commit", "-m", "x")).toContain("ask, with --yes allow (may write to .git)\n");
});

test("the same as JSON", async () => {
  const world = makeWorld(files);
  const { out } = await croft(world, ["policy", "explain", "--json", "ls"]);
  expect(JSON.parse(out)).toEqual({
    type: "command",
    command: ["ls"],
    verdict: { decision: "allow", rule: "`ls`: the rule `ls` (allow)", profile: "plain" },
    parts: [{ text: "ls", decision: "allow", rule: "the rule `ls` (allow)" }],
    sandbox: { usual: "allow", yes: "allow" },
    noSandbox: { usual: "ask", yes: "ask" },
  });
});

test("nothing approved, and mistakes in usage", async () => {
  const world = makeWorld();
  const listed = await croft(world, ["policy"]);
  expect([listed.code, listed.out, listed.err]).toEqual([0, "", "No command of this project was approved for good.\n"]);
  for (const args of [["forget", "12345678"], ["explain"], ["allow", "x"]]) {
    expect((await croft(world, ["policy", ...args])).code).toBe(2);
  }
});

test.each([
  [["explain"], "croft policy explain needs a path or a command."],
  [["forget"], "croft policy forget takes the name of one command."],
  [["forget", "a", "b"], "croft policy forget takes the name of one command."],
  [["allow", "ls"], "There is no croft policy allow ls."],
])("croft policy %j is a mistake that is told", async (words, told) => {
  const { code, out, err } = await croft(makeWorld(), ["policy", ...words]);
  expect([code, out, err]).toEqual([2, "", `croft: ${told} See croft policy --help. (E_ARGUMENTS)\n`]);
});
