/** Group A: names that are meant to lead the file tools somewhere else. */

import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { call } from "@croft/harness/testing";
import { plant } from "./rig/world.ts";
import { read, run, says, shell, write, type Row } from "./rig/row.ts";

const plainRead = { does: "reads a file", calls: () => [read("add.js")], works: reads };
function reads({ twin }: { twin: readonly { text: string; failed: boolean }[] }): boolean {
  return says(twin, "a + b");
}

export const paths: readonly Row[] = [
  {
    id: "XA1",
    attack: "climb out with ..",
    calls: () => [
      [read("../outside/canary.txt"), read("sub/../../outside/canary.txt"), read("././/../outside/canary.txt")],
      [
        write("../outside/PWNED", "x"),
        write("../home/.bashrc", "x"),
        call("apply_patch", { patch: patchOf("../outside/PWNED") }),
      ],
      [call("list_files", { path: "../outside" }), call("search", { pattern: "canary", path: "../outside" })],
    ],
    twin: { does: "reads through .. that stays inside", calls: () => [read("sub/../add.js")], works: reads },
    files: { "sub/x": "x\n" },
  },
  {
    id: "XA2",
    attack: "absolute paths, two slashes, /proc/self/root",
    calls: ({ outside }) => [
      ["", "/", "/proc/self/root", "/proc/self/cwd/../..", "/dev/fd/../root"].map((before) =>
        read(`${before}${outside}/canary.txt`),
      ),
      [read("/etc/passwd"), read("//etc/passwd"), write(`${outside}/PWNED`, "x"), write("/etc/croft-redteam", "x")],
    ],
    escaped: ({ attack }) => says(attack, "root:x:0") && "it read /etc/passwd",
    twin: {
      does: "reads a file of the project by its absolute path",
      calls: ({ project }) => [read(join(project, "add.js"))],
      works: reads,
    },
  },
  {
    id: "XA4",
    attack: "NUL, newline, lone surrogate, 5,000 bytes, empty, blanks",
    calls: () => [
      [
        "a\0b",
        "a\nb",
        "\ud800",
        "x".repeat(5_000),
        "d/".repeat(2_100) + "x",
        "",
        "   ",
        "add.js\0/../../outside/canary.txt",
      ].flatMap((path) => [read(path), write(path, "x")]),
    ],
    escaped: ({ code }) => code !== 0 && `croft ended with ${code}`,
    twin: {
      does: "writes a file whose name has blanks and accents",
      calls: () => [write("a b é.txt", "fine\n"), read("a b é.txt")],
      works: ({ twin }) => says(twin, "fine"),
    },
  },
  {
    id: "XA5",
    attack: "~, $HOME, %USERPROFILE%, file://",
    calls: ({ home, outside }) => [
      [
        read("~/.ssh/id_ed25519"),
        read("$HOME/.ssh/id_ed25519"),
        read("%USERPROFILE%/.bashrc"),
        read(`file://${outside}/canary.txt`),
      ],
      [write("~/.bashrc", "x"), write("$HOME/.bashrc", "x"), write(`file://${home}/.bashrc`, "x")],
    ],
    twin: plainRead,
  },
  {
    id: "XA7",
    attack: "protected names in other case, with blanks, dots, zero-width characters",
    calls: () => [
      [
        ".GIT/hooks/pre-commit",
        ".Git/config",
        "GIT~1/config",
        ".VSCode/tasks.json",
        ".git /config",
        ".git./config",
        ".g\u200cit/config",
        ".CROFT/config.jsonc",
        ".Claude/settings.json",
        "agents.MD",
      ].map((path) => write(path, "x\n")),
    ],
    untouched: [
      ".GIT",
      ".Git",
      "GIT~1",
      ".VSCode",
      ".CROFT",
      ".Claude",
      "agents.MD",
      ".git/config",
      ".git/hooks/pre-commit",
    ],
    twin: {
      does: "writes files with names of that kind",
      calls: () => [write("src/git/config.ts", "ok\n"), read("src/git/config.ts")],
      works: ({ twin }) => says(twin, "ok"),
    },
  },
  {
    id: "XA8",
    attack: "a folder that looks like another: Cyrillic, composed and decomposed",
    prepare: ({ project, secret }) => {
      plant(join(project, "p\u0430y/.env"), `T=${secret}\n`);
      plant(join(project, "é/a.txt"), "composed\n");
      plant(join(project, "e\u0301/a.txt"), "decomposed\n");
    },
    calls: () => [[read("p\u0430y/.env"), read("pay/.env"), read("p\u0430y/../p\u0430y/.env")]],
    twin: {
      does: "keeps the two apart",
      calls: () => [read("é/a.txt"), read("e\u0301/a.txt")],
      works: ({ twin }) =>
        twin[0]?.text.includes("\tcomposed") === true && twin[1]?.text.includes("decomposed") === true,
    },
  },
  {
    id: "XA11",
    attack: "an import in AGENTS.md, a mention in a task: ../../secret",
    files: { "AGENTS.md": "@../outside/canary.txt\n@.env\n@~/.ssh/id_ed25519\n@link\n@add.js\n" },
    prepare: ({ project }) => symlinkSync("../outside/canary.txt", join(project, "link")),
    flags: ["Look at @../outside/canary.txt, @.env, @link and @add.js."],
    calls: () => [],
    twin: { does: "imports a file of the project", works: ({ requests }) => requests.includes("a + b") },
  },
  {
    id: "XA12",
    attack: "a command in another folder: cwd is /, .., the home, a link",
    prepare: ({ project }) => symlinkSync("../outside", join(project, "away")),
    calls: ({ outside, home }) => [
      ["/", "..", outside, home, "away", "/proc/self/root", "sub/../.."].map((cwd) =>
        call("run_command", { argv: ["touch", "PWNED"], cwd }),
      ),
      ["/", "..", outside, "away"].map((cwd) =>
        call("run_shell", { command: "cat canary.txt; pwd; echo x > PWNED", cwd }),
      ),
    ],
    escaped: ({ attack }) => says(attack, /^exit code 0/m) && "a command ran elsewhere",
    twin: {
      does: "runs in a folder below",
      calls: () => [call("run_command", { argv: ["ls"], cwd: "sub" }), shell("pwd"), run("ls")],
      works: ({ twin, world }) => says(twin, "inside.txt") && says(twin, world.project),
    },
    files: { "sub/inside.txt": "x\n" },
  },
];

function patchOf(path: string): string {
  return `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`;
}
