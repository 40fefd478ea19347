import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execFileSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { needs } from "../../../../test/support/needs.ts";
import type { Event } from "../event.ts";
import type { Action } from "../gate/action.ts";
import { codePolicy } from "../policy/presets.ts";
import { openFence } from "../workspace/fence/on-disk.ts";
import { openUndo } from "../workspace/snapshot/undo.ts";
import type { OpenTurn } from "../workspace/snapshot.ts";
import { openCodeTools, type CodeDoorOptions } from "./code-tools.ts";
import { commandsBelow } from "./commands.testing.ts";
import type { CommandOptions } from "./commands.ts";
import type { TurnKeeper } from "./undoing.ts";
import { programPlaces } from "./program-places.ts";

const never = new AbortController().signal;
const enclosed = test.runIf(process.platform === "linux" && needs("bwrap"));

type Place = { base: string; root: string };

function project(files: Readonly<Record<string, string>> = {}): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "croft-commands-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "project");
  mkdirSync(root, { mode: 0o700 });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return { base, root };
}

function commandsIn({ base }: Place, more: Partial<CommandOptions> = {}): CommandOptions {
  return { ...commandsBelow(base, process.env["PATH"]), ...more };
}

type Rig = { actions: Action[]; events: Event[]; call: (name: string, input: object) => Promise<string> };

/** Tools whose every action is allowed. */
async function tools(place: Place, more: Partial<CodeDoorOptions> = {}): Promise<Rig> {
  const actions: Action[] = [];
  const events: Event[] = [];
  const doors = await openCodeTools({
    root: place.root,
    async gate(action) {
      actions.push(action);
      return { allowed: true, by: "rule" };
    },
    commands: commandsIn(place),
    emit: (event) => events.push(event),
    ...more,
  });
  onTestFinished(() => doors.close());
  return {
    actions,
    events,
    async call(name, input) {
      const { content } = await doors.call(name, input, never);
      return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    },
  };
}

enclosed(
  "what is written with approval while a server runs is not taken for the server's doing; what it writes is",
  async () => {
    const place = project();
    const { call } = await tools(place);
    const script = "mkdir -p .idea; echo x > .idea/x; echo ready; sleep 300";
    await call("start_process", { argv: ["sh", "-c", script], wait_seconds: 0 });
    while (!existsSync(join(place.root, ".idea/x"))) await call("read_process", { id: "process-1", wait_seconds: 1 });
    await call("write_file", { path: ".vscode/tasks.json", content: "{}\n" });
    expect(await call("stop_process", { id: "process-1" })).toMatch(/"\.idea" appeared, which commands may not write/);
    expect([
      readFileSync(join(place.root, ".vscode/tasks.json"), "utf8"),
      existsSync(join(place.root, ".idea")),
    ]).toEqual(["{}\n", false]);
  },
);

enclosed(
  "what a command changed belongs to the turn, deletions and new files too; a server's changes do not",
  async () => {
    const place = project({ "a.txt": "a\n", "b.txt": "b\n" });
    const undo = openUndo({ store: join(place.base, "undo"), root: place.root });
    const turn: OpenTurn = undo.begin({ session: "s", task: "t", at: 0 });
    const keeper: TurnKeeper = { turn: () => turn, cover: (policy) => undo.cover(policy) };
    const { call } = await tools(place, { before: turn, keeper });
    await call("start_process", { argv: ["sh", "-c", "echo x > served.txt; echo up"], wait_seconds: 20 });
    await call("stop_process", { id: "process-1" });
    expect(await call("run_shell", { command: "rm a.txt; echo c > c.txt; echo more >> b.txt" })).toBe(
      "exit code 0\n(no output)\n(Changed meanwhile: a.txt, b.txt, c.txt.)",
    );
    await call("read_file", { path: "b.txt" });
    await call("edit_file", { path: "b.txt", old_string: "more", new_string: "less" });
    turn.end();
    await undo.undo(never);
    const files = ["a.txt", "b.txt", "c.txt", "served.txt"].map((name) => existsSync(join(place.root, name)));
    expect([files, readFileSync(join(place.root, "b.txt"), "utf8")]).toEqual([[true, true, false, true], "b\n"]);
  },
);

test("a command outside of a sandbox is asked about as such, and no shell is offered", async () => {
  const place = project({ "x.sh": "echo hello\n" });
  const { call, actions, events } = await tools(place, { commands: commandsIn(place, { sandbox: false }) });
  expect(await call("run_command", { argv: ["sh", "x.sh"] })).toBe("exit code 0\nhello");
  expect(await call("run_shell", { command: "true" })).toMatch(/^There is no tool "run_shell"/);
  expect(actions).toMatchObject([
    { kind: "run", command: ["sh", "x.sh"], enclosed: false, programs: [{ path: "x.sh", hash: expect.any(String) }] },
  ]);
  expect(events[0]).toEqual({
    type: "notice",
    code: "no_sandbox",
    text: "Commands run without a sandbox, as you asked: they can read and change all that you can.",
  });
});

test("a bare name means no file of the project, though its folder stands first on PATH", async () => {
  const place = project({ "bin/ls": "#!/bin/sh\necho evil\n" });
  chmodSync(join(place.root, "bin/ls"), 0o755);
  const user = { PATH: `${place.root}/bin:${place.root}:.:${process.env["PATH"]}`, HOME: place.base };
  for (const sandbox of [false, ...(needs("bwrap") ? [true] : [])]) {
    const { call } = await tools(place, { commands: commandsIn(place, { user, sandbox }) });
    expect(await call("run_command", { argv: ["ls"] })).toBe("exit code 0\nbin");
  }
});

test("programs are files of the project that may be read, by whatever way they are named; nothing else is one", async () => {
  const place = project({ "a.sh": "x\n", "sub/b.sh": "y\n", ".env": "z\n" });
  symlinkSync("a.sh", join(place.root, "link.sh"));
  symlinkSync("/etc/passwd", join(place.root, "out"));
  const fence = openFence(place.root, codePolicy());
  onTestFinished(() => fence.close());
  const { fileAt, enter } = programPlaces(fence);
  const found = async (path: string): Promise<string | undefined> => (await fileAt(path, never))?.path;
  const named = ["a.sh", "./a.sh", `${place.root}/sub/b.sh`, "sub/../a.sh", "link.sh"];
  expect(await Promise.all(named.map(found))).toEqual(["a.sh", "a.sh", "sub/b.sh", "a.sh", "a.sh"]);
  const none = ["out", "/etc/passwd", "../x", "absent", "sub", ".", "", "~/.bashrc", "a\0b", `${place.root}x/a`];
  expect(await Promise.all(none.map(found))).toEqual(none.map(() => undefined));
  const before = await fileAt("a.sh", never);
  writeFileSync(join(place.root, "a.sh"), "other\n");
  expect((await fileAt("a.sh", never))?.hash).not.toBe(before?.hash);
  for (const path of ["a.sh", "absent", "..", "out"]) expect(() => enter(path)).toThrow();
});

test("the start of a session removes outputs that were kept for too long, and its end leaves no mark", async () => {
  const place = project();
  const commands = commandsIn(place, { sandbox: false });
  const { outputs } = commands;
  for (const name of ["output-old.txt", "output-young.txt"]) writeFileSync(join(outputs, name), "kept\n");
  utimesSync(join(outputs, "output-old.txt"), new Date(0), new Date(0));
  const doors = await openCodeTools({
    root: place.root,
    gate: async () => ({ allowed: true, by: "rule" }),
    commands,
  });
  await doors.close();
  expect(readdirSync(outputs)).toEqual(["output-young.txt"]);
});

enclosed("what the sandbox has to do with a failure of git is said, with the next step", async () => {
  const place = project({ "a.txt": "a\n", ".env": "KEY=1\n" });
  execFileSync("git", ["init", "-q", place.root]);
  const { call } = await tools(place);
  const mixed = await call("run_shell", { command: "echo b >> a.txt && git add a.txt" });
  expect(mixed).toMatch(/index\.lock': Read-only file system\n\(In the sandbox .* then call git alone\.\)/);
  const all = await call("run_command", { argv: ["git", "add", "-A"] });
  expect(all).toMatch(/unable to index file '\.env'\n.*\n\(A file that git cannot read holds secrets .*\)/);
  expect(await call("run_command", { argv: ["git", "add", "a.txt"] })).toBe("exit code 0\n(no output)");
  mkdirSync(join(place.root, ".git/modules"));
  execFileSync("git", ["init", "-q", `--separate-git-dir=${place.root}/.git/modules/sub`, `${place.root}/sub`]);
  writeFileSync(join(place.root, "sub/b.txt"), "b\n");
  const inner = await call("run_command", { argv: ["git", "-C", "sub", "add", "b.txt"] });
  expect(inner).toMatch(/\(In the sandbox what git keeps of submodules .*\)/);
  expect(inner).not.toMatch("call git alone");
});

enclosed("an install without network fails at once, and how to reach a host is said", async () => {
  const { call } = await tools(project({ "package.json": "{}" }));
  const told = await call("run_command", { argv: ["npm", "install", "left-pad"] });
  expect(told).toMatch(
    /^exit code 1\n[^]*\b(?:ENOTFOUND|EAI_AGAIN)\b[^]*\n\(In the sandbox only hosts .*--allow-network\.\)$/,
  );
});
