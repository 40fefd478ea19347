import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { needs } from "../../../../test/support/needs.ts";
import type { Action } from "../gate/action.ts";
import { codeGate } from "../gate/code.ts";
import type { Gate } from "../gate/gate.ts";
import { createBash } from "../tool/anthropic/bash.ts";
import { todo } from "../tool/code/todo.ts";
import { specOf } from "../tool/tool.ts";
import { anthropicKind, anthropicTools } from "./anthropic.ts";
import { commandsOf, openDoorsWith, type CodeDoorOptions } from "./code-tools.ts";
import { commandsBelow } from "./commands.testing.ts";
import { workAssembly } from "./work.ts";

const enclosed = test.runIf(process.platform === "linux" && needs("bwrap"));
const never = new AbortController().signal;
const yes = codeGate({ yes: true });
const anything: Gate = async () => ({ allowed: true, by: "rule" });

type Shell = {
  root: string;
  bash: (command: string, signal?: AbortSignal) => Promise<string>;
  restart: () => Promise<string>;
  call: (name: string, input: object, signal?: AbortSignal) => Promise<string>;
};

/** The tools on a project in a sandbox. */
async function shell(
  gate: Gate = yes,
  { tools = anthropicTools({ enclosed: true }), ...more }: Partial<CodeDoorOptions> = {},
): Promise<Shell> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "croft-anthropic-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "project");
  mkdirSync(join(root, "src"), { recursive: true, mode: 0o700 });
  const options: CodeDoorOptions = { root, gate, commands: commandsBelow(base, process.env["PATH"]), ...more };
  const commands = await commandsOf(options);
  const doors = openDoorsWith(tools, options, commands);
  onTestFinished(() => doors.close());
  const call = async (name: string, input: object, signal = never): Promise<string> => {
    const { content } = await doors.call(name, input, signal);
    return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  };
  return {
    root,
    call,
    bash: (command, signal) => call("bash", { command }, signal),
    restart: () => call("bash", { restart: true }),
  };
}

enclosed(
  "folder, variables, functions, aliases, options, traps, arguments, umask and status go from call to call",
  async () => {
    const { bash, root } = await shell(anything);
    expect(
      await bash(
        "cd src; x='a  b'; export Y=\"q\\\"$'\\n'\"; list=(1 'b c'); declare -A map=([k]='v w'); declare -i n=3",
      ),
    ).toBe("exit code 0\n(no output)\n(This is a new shell.)\n(The shell is now in src.)");
    expect(
      await bash(
        "f() { echo \"in f: $1\"; }; export -f f; shopt -s expand_aliases extglob; alias hi='echo hello'; set -u; set -o pipefail; trap 'echo bye' EXIT; set -- one 'two three'; umask 077; (exit 7)",
      ),
    ).toBe("exit code 7\n(no output)");
    expect(
      await bash(
        'echo "$?"; pwd; echo "$x|${list[1]}|${map[k]}"; n=n+1; echo $n; f a; bash -c \'f b; echo "$Y"\'; hi; echo "$#:$2"; umask; trap; shopt -q extglob && echo extglob; echo $-; false | true',
      ),
    ).toBe(
      `exit code 1\n7\n${root}/src\na  b|b c|v w\n4\nin f: a\nin f: b\nq"$'\\n'\nhello\n2:two three\n0077\ntrap -- 'echo bye' EXIT\nextglob\nhuBc`,
    );
    expect(await bash("cd - >/dev/null; echo $OLDPWD")).toBe(
      `exit code 0\n${root}/src\n(The shell is now in the project's folder.)`,
    );
  },
);

enclosed(
  "a line is the shell's own affair: here-documents, comments, mistakes, options that show, output in order",
  async () => {
    const { bash } = await shell(anything);
    await bash("set -xu");
    expect(await bash("cat <<'E' # nothing\n$x `y`\nE\necho a >&2; echo b")).toBe(
      "exit code 0\n++ cat\n$x `y`\n++ echo a\na\n++ echo b\nb",
    );
    expect(await bash("set +x; echo $nothing")).toBe(
      "exit code 127\n++ set +x\nbash: line 1: nothing: unbound variable\n(The shell has ended with this; the next call gets a new one, in the project's folder.)",
    );
    expect(await bash("if true; then")).toMatch(/^exit code 2\n.*syntax error: unexpected end of file/);
    expect(await bash("echo $?; return 3; ls -l /proc/self/fd /proc/$$/fd | grep -c handover")).toMatch(
      /^exit code 0\n2\n.*can only `return' from a function or sourced script\n2$/,
    );
  },
);

enclosed("a shell that ends is told, and the next call gets a new one", async () => {
  const { bash, root } = await shell(anything);
  const ended = "(The shell has ended with this; the next call gets a new one, in the project's folder.)";
  const ways = ["exit 3", "kill -9 $$", "exec sh -c 'exit 4'", "set -e; false"];
  const told: string[] = [];
  for (const way of ways) {
    await bash("cd src; x=1");
    told.push(await bash(way), await bash("echo $PWD $x"));
  }
  const fresh = `exit code 0\n${root}`;
  const ends = ["exit code 3", "exit code 137", "exit code 4", "exit code 1"];
  expect(told).toEqual(ends.flatMap((end) => [`${end}\n(no output)\n${ended}`, fresh]));
});

enclosed("a call that takes too long is ended with all it runs, and the shell is as it was before it", async () => {
  const { bash, root } = await shell(anything, { tools: [createBash(1_500)] });
  await bash("cd src; x=1");
  const text = await bash("x=2; cd ..; sh -c 'echo $$ > pid; sleep 300'");
  // Who is still there to be counted when the shell has ended, is a matter of moments.
  expect(text.replace(/\n\(\d process(?:es)? left behind, and ended\.\)/, "")).toBe(
    "timed out after 1.5 s; process tree killed\n(no output)\n" +
      "(What is meant to go on, such as a server or a watcher, is started with start_process.)\n" +
      "(The shell is as it was before this call.)",
  );
  expect(await bash("echo $PWD $x; ps ax | grep -c '[s]leep 300'")).toBe(`exit code 1\n${root}/src 1\n0`);
});

enclosed(
  "what a call leaves running is counted and ended; what is cancelled changes nothing in the shell",
  async () => {
    const { bash } = await shell(anything);
    expect(await bash("x=1; sleep 300 & sleep 300 & disown; echo on")).toBe(
      "exit code 0\non\n(2 processes left behind, and ended.)\n(This is a new shell.)",
    );
    const cancel = new AbortController();
    const hanging = bash("x=2; sleep 300", cancel.signal);
    setTimeout(() => cancel.abort(), 300);
    expect(await hanging).toMatch(/abort/);
    expect(await bash("echo $x")).toBe("exit code 0\n1");
  },
);

enclosed("a restart ends what hangs and gives a new shell; what waited behind it is not run", async () => {
  const { bash, restart, root } = await shell(anything);
  await bash("cd src; x=1; f() { :; }");
  const hanging = bash("echo begun > begun; sleep 300");
  const waiting = bash("echo never > never");
  while (!existsSync(join(root, "src/begun"))) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await restart()).toBe("A new shell, in the project's folder.");
  const meanwhile = "The shell was restarted meanwhile, and this was ended.";
  expect(await Promise.all([hanging, waiting])).toEqual([meanwhile, meanwhile]);
  expect(await bash("echo $PWD$x; type -t f; ls src")).toBe(`exit code 0\n${root}\nbegun`);
});

enclosed("a folder that is gone is told, and nothing is run", async () => {
  const { bash, root } = await shell(anything);
  await bash("mkdir sub; cd sub");
  rmSync(join(root, "sub"), { recursive: true });
  expect(await bash("touch ran")).toBe(
    "sub, where the shell was, is gone, or no place to run commands. Nothing was run. The shell is in the project's folder now: make the call again.",
  );
  expect(await bash("pwd; ls")).toBe(`exit code 0\n${root}\nsrc`);
  expect(await bash("cd /tmp; cd -; cd /tmp")).toBe(`exit code 0\n${root}\n(The shell is now in /tmp.)`);
  expect(await bash("pwd")).toBe("exit code 0\n/tmp");
});

enclosed("whatever a line leaves for the folder, the shell is not stuck in it", async () => {
  const { bash, root } = await shell(anything);
  for (const folder of ["/~", "/../..", "/$(printf 'a%.0s' {1..5000})", "/.git", "/$'\\x01'", "/C:"]) {
    await bash(`PWD=$PWD${folder}`);
    const said = [await bash("pwd"), await bash("pwd")];
    expect([folder, ...said]).toEqual([
      folder,
      expect.stringMatching(/Nothing was run\. The shell is in the project's folder now: make the call again\.$/),
      `exit code 0\n${root}`,
    ]);
  }
});

enclosed("what it changes is told, and protected places are held as for any command", async () => {
  const { bash, root } = await shell(anything);
  expect(await bash("mkdir -p .idea && echo x > .idea/x; echo y > .vscode/tasks.json")).toMatch(
    /"?\.idea"? appeared, which commands may not write/,
  );
  expect(existsSync(join(root, ".idea"))).toBe(false);
});

/** What the gate was asked about each line: its verdict, and whether it counts as one of a changed shell. */
async function asked(lines: readonly string[], git = false): Promise<string[]> {
  const seen: Action[] = [];
  const { bash, root } = await shell(async (action) => {
    if (action.kind === "run") seen.push(action);
    return { allowed: true, by: "rule" };
  });
  if (git) {
    for (const args of [
      ["init", "-q"],
      ["config", "user.name", "a"],
      ["config", "user.email", "a@example.com"],
    ]) {
      execFileSync("git", ["-C", root, ...args]);
    }
  }
  for (const line of lines) await bash(line);
  return seen.map((action) =>
    action.kind === "run"
      ? `${action.verdict.decision} ${action.verdict.profile}${action.changedShell === true ? " changed" : ""}`
      : "",
  );
}

enclosed.each<[string, string]>([
  ["a function", "ls() { echo evil; }"],
  ["an exported function", "f() { :; }; export -f f"],
  ["an alias", "shopt -s expand_aliases; alias ls=evil"],
  ["a trap", "trap 'echo evil' DEBUG"],
  ["PATH", "export PATH=/evil:$PATH"],
  ["a library", "export LD_PRELOAD=/evil.so"],
  ["a start file", "export BASH_ENV=/evil"],
  ["settings of git", "export GIT_EXTERNAL_DIFF=/evil"],
  ["any other exported variable", "export SOMETHING=1"],
  ["a variable that is gone", "unset -v HOME"],
  ["an option", "set -a"],
  ["a setting", "shopt -s extdebug"],
  ["a name for another variable", "declare -n x=PATH"],
  ["a variable whose value is worked out", "declare -i x=1"],
  ["a folder outside the project", "cd /tmp"],
])("where %s could give a line another meaning, no rule allows it, until the shell is a new one", async (_, line) => {
  const [, ...verdicts] = await asked([line, "ls", "git commit --allow-empty -qm x"]);
  expect(verdicts).toEqual(["unlisted plain changed", "unlisted plain changed"]);
});

enclosed("what gives no name another meaning changes nothing for the rules", async () => {
  const lines = [
    "cd src",
    "x=1; list=(a 'b c'); export CI=1 LC_ALL=C",
    "set -eo pipefail",
    "set -- a 'b c'; umask 077",
    "ls",
    "git commit --allow-empty -qm x",
  ];
  const verdicts = await asked(lines, true);
  expect(verdicts.slice(-2)).toEqual(["allow plain", "unlisted git"]);
});

enclosed(
  "a shell that lies of itself is only what it says: whatever goes to the next call is what the rules have seen",
  async () => {
    const changed: boolean[] = [];
    const { bash, restart } = await shell(async (action) => {
      if (action.kind === "run") changed.push(action.changedShell === true);
      return { allowed: true, by: "rule" };
    });
    const define = "ls() { echo evil; }";
    const lies = [
      `builtin() { :; }; ${define}`,
      `builtin() { command builtin "$@" | sed 's/ls/sl/; s/evil/good/'; }; ${define}`,
      `builtin() { [ "$1" = declare ] || command builtin "$@"; }; ${define}`,
      `${define}; for fd in /proc/$$/fd/*; do echo end > $fd; done 2>/dev/null >/dev/null`,
      `${define}; for fd in 10 11 12; do printf 'end\\0' >&$fd; done 2>/dev/null`,
      `${define}; x='"; ls() { echo evil; }; : "'`,
      `${define}; printf() { command printf "$@"; }; set -- '$(ls() { echo evil; })'`,
    ];
    for (const lie of lies) {
      await bash(lie);
      const seen = await bash("ls");
      expect([lie, seen.includes("evil")]).toEqual([lie, seen.includes("evil") && changed.at(-1) === true]);
      await restart();
      expect(await bash("ls")).toBe("exit code 0\nsrc");
    }
  },
);

enclosed("where git cannot write because of the shell, it says so", async () => {
  const { bash, root } = await shell(anything);
  execFileSync("git", ["-C", root, "init", "-q"]);
  await bash("f() { :; }");
  expect(await bash("git add .")).toContain(
    "(In this shell functions are defined, so git may not write to .git in it: restart it first.)",
  );
});

test("the static part of a request, system prompt and tools, is 12 KB at most", () => {
  const tools = [...anthropicTools({ enclosed: true }), todo].map(specOf);
  const { system } = workAssembly(anthropicKind(), { runs: true });
  expect(JSON.stringify({ system, tools }).length).toBeLessThanOrEqual(12_000);
});
