import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, say, type ServerReply } from "@croft/harness/testing";
import { needs } from "../support/needs.ts";
import { bin, makeWorld, until, type World } from "./croft.ts";
import { onScreen, pause, type OnScreen, type Where } from "./on-screen.ts";
import { key, serve } from "./server.ts";

const linux = process.platform === "linux";
const files = { "src/add.ts": "export function add(a: number, b: number): number {\n  return a - b;\n}\n" };
/** Longer than the moment without a key that a question waits for. */
const beforeAnswer = 500;

function repository(): World {
  const world = makeWorld(files);
  execFileSync("git", ["init", "-q"], { cwd: world.project });
  return world;
}

/** A session with a model that says this. */
async function talkWith(
  script: readonly ServerReply[],
  where: Where = {},
  args: readonly string[] = [],
): Promise<{ world: World; screen: OnScreen }> {
  const world = repository();
  const server = await serve(script);
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url, NO_COLOR: "1", ...where.env };
  const screen = onScreen(world, args, { ...where, env });
  await screen.sees("\n›");
  return { world, screen };
}

const fix: readonly ServerReply[] = [
  [call("read_file", { path: "src/add.ts" })],
  [call("edit_file", { path: "src/add.ts", old_string: "a - b", new_string: "a + b" })],
  say("It **adds** now: `src/add.ts:2`.\n\n```ts\nreturn a + b;\n```\n"),
];

test.runIf(linux).each([
  [80, 24],
  [200, 50],
])("a change is asked about, made, and told of at %d columns, %d rows", async (columns, rows) => {
  const { world, screen } = await talkWith(fix, { columns, rows });
  await screen.types("Make it add", "\r");
  const asked = await screen.sees("? Apply to src/add.ts?");
  expect(asked).toContain("  2 -  return a - b;\n  2 +  return a + b;");
  await pause(beforeAnswer);
  await screen.types("y");
  await screen.sees("1 of 1 citation verified");
  expect(readFileSync(join(world.project, "src/add.ts"), "utf8")).toContain("a + b");
  const all = await screen.all();
  const from = all.indexOf("› Make it add");
  expect(all.slice(from).replaceAll(/\d[\d,.]* tokens.*/g, "N tokens")).toContain(
    [
      "  Apply to src/add.ts? yes, this once",
      "",
      "✓ edit_file src/add.ts",
      "  changed src/add.ts (+1 -1)",
      "",
      "• It adds now: src/add.ts:2.",
      "",
      "    return a + b;",
    ].join("\n"),
  );
  await screen.types("\u0004");
  expect(await screen.ended).toEqual({ code: 0, signal: 0 });
});

test.runIf(linux)(
  "a question about an ordinary change says how to be asked no more, and one that is none does not",
  async () => {
    const edit = (from: string, to: string): ServerReply =>
      call("edit_file", { path: "src/add.ts", old_string: from, new_string: to });
    const memory = call("write_file", { path: "AGENTS.md", content: "Be brief.\n" });
    const { world, screen } = await talkWith([
      call("read_file", { path: "src/add.ts" }),
      edit("a - b", "a + b"),
      edit("a + b", "b + a"),
      memory,
      say("Done."),
    ]);
    await screen.types("Make it add", "\r");
    const asked = await screen.sees("(e) Yes, and ask no more about such changes: mode yes (Shift+Tab ends it)");
    expect(asked).toContain("? Apply to src/add.ts?\n❯ (y) Yes, this once\n  (n) No\n  (r) No, and say why\n  (e) Yes");
    await pause(beforeAnswer);
    await screen.types("e");
    const another = await screen.sees("? Apply to AGENTS.md?");
    expect(another).not.toContain("(e) Yes");
    expect(await screen.all()).toContain("  Apply to src/add.ts? yes, from now on\n");
    expect(another).toContain("  yes · ");
    expect(readFileSync(join(world.project, "src/add.ts"), "utf8")).toContain("b + a");
    await pause(beforeAnswer);
    await screen.types("n");
    await screen.sees("• Done.");
    await screen.types("\u001b[Z");
    await screen.sees("  plan · ");
  },
);

test.runIf(linux)("a command that is approved cannot reach the terminal", async () => {
  const steal = "printf '\\033[?1003h\\033[2J' > /dev/tty || echo refused";
  const { screen } = await talkWith([[call("run_command", { argv: ["sh", "-c", steal] })], say("Done.")]);
  await screen.types("Go", "\r");
  await screen.sees("? Run it?");
  await pause(beforeAnswer);
  await screen.types("y");
  await screen.sees("• Done.");
  expect(screen.bytes()).not.toContain("\u001b[?1003h");
  // A mouse that moves meanwhile is no text.
  await screen.types("\u001b[<35;20;5M\u001b[<35;21;5M", "a");
  expect((await screen.sees("› a")).trimEnd().endsWith("› a")).toBe(true);
});

test.runIf(linux)("Ctrl+C ends the turn, and pressed twice at rest it leaves with the cost", async () => {
  const { screen } = await talkWith([[call("run_command", { argv: ["sleep", "60"] })]], {}, ["--yes"]);
  await screen.types("Wait", "\r");
  const shown = await screen.sees("sleep 60");
  if (!shown.includes("commands run in a sandbox")) {
    await screen.sees("? Run it?");
    await pause(beforeAnswer);
    await screen.types("y");
    await pause(300);
  }
  await screen.types("\u0003");
  await screen.sees("Cancelled.");
  await pause(100);
  await screen.types("\u0003");
  await screen.sees("Ctrl+C again leaves.");
  await screen.types("\u0003");
  expect((await screen.ended).code).toBe(0);
  expect(await screen.all()).toMatch(/1 turn, .*croft resume/);
});

/** croft below a shell that says how the terminal is when croft is gone. */
function belowShell(world: World, env: Readonly<Record<string, string>> = {}): OnScreen {
  return onScreen(world, [], {
    program: ["bash", "--norc", "--noprofile", "-i"],
    env: { PS1: "shell> ", HISTFILE: "/dev/null", ...env },
  });
}

/** The process of the croft that the shell has started. */
function croftIn({ pid }: OnScreen): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"));
}

const modesLeft = ["\u001b[?2004l", "\u001b[<u", "\u001b[>4;0m", "\u001b[?25h", "\u001b[?7h"];

test.runIf(linux).each(["TERM", "HUP", "QUIT", "KILL"])("after %s the terminal is as it was", async (signal) => {
  const world = repository();
  const screen = belowShell(world);
  await screen.sees("shell>");
  await screen.types(`${process.execPath} ${bin} --model offline\r`);
  await screen.sees("\n›");
  const before = screen.bytes().length;
  process.kill(croftIn(screen), `SIG${signal}`);
  await until(() => screen.bytes().indexOf("shell>", before) !== -1);
  await screen.types("stty -a | grep -o ' icanon\\| echo \\| isig'; echo over\r");
  expect((await screen.sees("over\nshell>")).split("\n").slice(-5)).toEqual([
    expect.stringContaining("isig"),
    expect.stringContaining("icanon"),
    expect.stringContaining("echo"),
    "over",
    "shell>",
  ]);
  // Nothing can be said behind a kill, so nothing is used that a shell could not live with.
  expect(screen.bytes()).not.toMatch(/\u001b\[\?(?:1049|47|100[0236])h/);
  if (signal !== "KILL") expect(modesLeft.filter((mode) => !screen.bytes().includes(mode, before))).toEqual([]);
});

test.runIf(linux)("Ctrl+Z stops croft and fg goes on with what was written", async () => {
  const screen = belowShell(repository());
  await screen.sees("shell>");
  await screen.types(`${process.execPath} ${bin} --model offline\r`);
  await screen.sees("\n›");
  await screen.types("half a thought", "\u001a");
  await screen.sees("Stopped");
  await screen.types("echo in the shell\r");
  await screen.sees("\nin the shell");
  await screen.types("fg\r");
  await screen.sees("› half a thought");
  await screen.types(" is done");
  await screen.sees("› half a thought is done");
});

test.runIf(linux).each([
  ["TSTP", ""],
  ["STOP", ""],
  ["TSTP", "--plain"],
])("stopped by somebody else with %s, fg goes on with what was written: croft %s", async (signal, option) => {
  const screen = belowShell(repository());
  await screen.sees("shell>");
  await screen.types(`${process.execPath} ${bin} --model offline ${option}\r`);
  await screen.sees(option === "" ? "\n›" : "\n>");
  await screen.types("half a thought");
  process.kill(croftIn(screen), `SIG${signal}`);
  await screen.sees("Stopped");
  await screen.types("fg\r", " is done");
  expect((await screen.sees(" half a thought is done")).split("\n").at(-1)).toMatch(/^[›>] half a thought is done$/);
});

test.runIf(linux)("where no shell could go on with it, Ctrl+Z stops nothing", async () => {
  const screen = onScreen(repository(), ["--model", "offline"]);
  await screen.sees("\n›");
  await screen.types("half a thought", "\u001a");
  await pause(200);
  await screen.types(" is done");
  await screen.sees("› half a thought is done");
});

test.runIf(linux).each([
  ["throw new Error('boom')", ""],
  ["Promise.reject(new Error('boom'))", ""],
  ["throw new Error('boom')", "--plain"],
  ["process.exit(1)", ""],
])("a fault leaves the terminal as it was, and is told on a line of its own: %s %s", async (fault, option) => {
  const world = repository();
  const preload = join(world.home, "fault.mjs");
  writeFileSync(preload, `process.on("SIGUSR2", () => {\n  ${fault};\n});\n`);
  const screen = belowShell(world);
  await screen.sees("shell>");
  await screen.types(`${process.execPath} --import ${preload} ${bin} --model offline ${option}\r`);
  await screen.sees(option === "" ? "\n›" : "\n>");
  await screen.types("half a thought");
  const before = screen.bytes().length;
  process.kill(croftIn(screen), "SIGUSR2");
  await until(() => screen.bytes().indexOf("shell>", before) !== -1);
  const told = fault.includes("boom") ? ["croft: This is a bug in croft: boom."] : [];
  expect((await screen.shown()).match(/^croft: This is a bug in croft: boom\./gm) ?? []).toEqual(told);
  if (option === "") expect(modesLeft.filter((mode) => !screen.bytes().includes(mode, before))).toEqual([]);
  await screen.types("stty -a | grep -o ' icanon\\| echo \\| isig'; echo over\r");
  await screen.sees("over\nshell>");
  expect(screen.bytes().slice(before)).toMatch(/ icanon\s+echo/);
});

test.runIf(linux)("Ctrl+G gives the draft to an editor, and takes back what it left", async () => {
  const world = repository();
  const editor = join(world.home, "editor.sh");
  writeFileSync(
    editor,
    '#!/bin/sh\n[ -t 0 ] && [ -t 1 ] && printf "edited: %s\\nsecond line\\n" "$(cat "$1")" > "$1.new" && mv "$1.new" "$1"\n',
    { mode: 0o755 },
  );
  const screen = onScreen(world, ["--model", "offline"], { env: { EDITOR: editor } });
  await screen.sees("\n›");
  await screen.types("words", "\u0007");
  expect((await screen.sees("› edited: words")).split("\n").slice(-2)).toEqual(["› edited: words", "  second line"]);
  await screen.types("!");
  await screen.sees("second line!");
});

test.runIf(linux)("a croft that is to end does not leave its editor behind", async () => {
  const world = repository();
  const screen = onScreen(world, ["--model", "offline"], { env: { EDITOR: "echo editing $$; exec sleep 60; :" } });
  await screen.sees("\n›");
  await screen.types("\u0007");
  const editor = Number(/editing (\d+)/.exec(await screen.sees("editing "))?.[1]);
  process.kill(screen.pid, "SIGTERM");
  expect(await screen.ended).toEqual({ code: 143, signal: 0 });
  expect(() => process.kill(editor, 0)).toThrow("ESRCH");
});

test.runIf(linux)("a paste of ten thousand lines is one block, and reaches the model whole", async () => {
  const world = repository();
  const server = await serve([say("Read.")]);
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url };
  const screen = onScreen(world, [], { env });
  await screen.sees("\n›");
  const lines = Array.from({ length: 10_000 }, (_, n) => `line ${n}`).join("\n");
  await screen.types(`\u001b[200~${lines}\u001b[201~`);
  await screen.sees("› [pasted 10000 lines]");
  await screen.types("\r");
  await screen.sees("• Read.");
  expect(JSON.stringify(server.requests[0]?.body.messages)).toContain(JSON.stringify(lines).slice(1, -1));
});

test.runIf(linux && needs("tmux"))("in tmux the same is shown, also when it gets narrower and wider", async () => {
  const world = repository();
  const socket = join(world.base, "tmux");
  const tmux = (...args: string[]): string =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: world.home, TERM: "xterm-256color" },
    });
  tmux("new-session", "-d", "-x", "80", "-y", "24", "-c", world.project, `${process.execPath} ${bin} --model offline`);
  try {
    const seen = (): string => tmux("capture-pane", "-p", "-S", "-").trimEnd();
    await until(() => seen().includes("\n  It looks things up. Try: Where is main defined, and who calls it?\n"));
    tmux("send-keys", "Where is add defined?", "Enter");
    await until(() => seen().includes("citation verified"));
    await pause(200);
    tmux("send-keys", "a draft that is somewhat longer than forty columns are");
    await until(() => seen().endsWith("are"));
    for (const columns of ["40", "80", "40"]) {
      tmux("resize-window", "-x", columns, "-y", "24");
      await pause(400);
    }
    const shown = seen().split("\n");
    expect(shown.filter((line) => line.startsWith("› "))).toEqual([
      "› Where is add defined?",
      "› a draft that is somewhat longer than",
    ]);
    expect(shown.slice(-4)).toEqual([
      "",
      "  reads only · $0.0000 · offline",
      "› a draft that is somewhat longer than",
      "  forty columns are",
    ]);
  } finally {
    tmux("kill-server");
  }
});
