import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Action } from "../gate/action.ts";
import { Failure } from "../error.ts";
import type { Confined, Enclosure } from "./enclosure.ts";
import { plainLaunch } from "./plain.ts";
import { gone, pidIn } from "./system/processes.testing.ts";
import { openBench, type Bench } from "./system/runner.testing.ts";
import type { Running } from "./runner.ts";
import type { CommandParts } from "./start-command.ts";

const never = new AbortController().signal;
const timeoutMs = 30_000;
const silent = (): void => undefined;
let bench: Bench | undefined;

function open(parts: Partial<CommandParts> = {}): Bench {
  return (bench = openBench(parts));
}
afterEach(() => bench?.remove());

/** True to the port but for the confining: it tells what it was asked, and starts plainly. */
function openDoor(events: string[], env: Record<string, string> = { PATH: "/usr/bin:/bin" }) {
  const asked: Confined[] = [];
  const enclosure: Enclosure = {
    probe: async () => ({ state: "ready", unlimited: [] }),
    async launch(confined) {
      asked.push(confined);
      events.push("launch");
      const launch = plainLaunch(confined.argv, "/", env);
      return { ...launch, [Symbol.asyncDispose]: async () => void events.push("let go") };
    },
    async inspect() {
      events.push("inspect");
      return ["A .git appeared and was taken away."];
    },
    close: async () => undefined,
  };
  return { enclosure, asked };
}

test("the gate is asked about the command as it will run, and a refusal is a failure with its note", async () => {
  const actions: Action[] = [];
  const { runner, root } = open({
    gate: async (action) => {
      actions.push(action);
      return { allowed: false, by: "person", note: "not now" };
    },
  });
  mkdirSync(join(root, "sub"));
  writeFileSync(join(root, "sub/tool.sh"), "echo ran >> ../marker");
  const command = { command: ["sh", "-x", "tool.sh", "arg"], cwd: "sub", timeoutMs, outside: "needs ssh" };
  await expect(runner.run(command, silent, never)).rejects.toMatchObject({
    code: "E_REFUSED",
    message: "The user did not allow this: not now",
  });
  await expect(runner.start(command, never)).rejects.toMatchObject({ code: "E_REFUSED" });
  const action: Action = {
    kind: "run",
    command: ["sh", "-x", "tool.sh", "arg"],
    cwd: "sub",
    verdict: { decision: "unlisted", rule: "test", profile: "plain" },
    enclosed: false,
    outside: "needs ssh",
    hosts: [],
    programs: [{ path: "sub/tool.sh", hash: "5bb2d3ca1ce1d4a6ee8a9e5e0b8f08a7b4c6cc4b9e3a0d4d6f1a2f6d37a6c3d0" }],
  };
  expect(actions).toEqual(
    [action, action].map((one) => ({ ...one, programs: [{ path: "sub/tool.sh", hash: expect.any(String) }] })),
  );
  expect(runner.running()).toEqual([]);
});

test("a script that changes after it was approved is not run", async () => {
  const { root, runner } = open({
    gate: async () => {
      writeFileSync(join(root, "tool.sh"), "#!/bin/sh\ntouch marker");
      return { allowed: true, by: "person" };
    },
  });
  writeFileSync(join(root, "tool.sh"), "#!/bin/sh\necho fine");
  chmodSync(join(root, "tool.sh"), 0o755);
  await expect(runner.run({ command: ["./tool.sh"], cwd: ".", timeoutMs }, silent, never)).rejects.toMatchObject({
    code: "E_STALE",
    message: "tool.sh changed after the command was approved; nothing was run.",
  });
  expect(readdirSync(root)).toEqual(["tool.sh"]);
});

test("a folder that is not there is told before anybody is asked", async () => {
  const { runner } = open({ gate: () => Promise.reject(new Error("asked")) });
  await expect(runner.run({ command: ["true"], cwd: "absent", timeoutMs }, silent, never)).rejects.toMatchObject({
    code: "E_NOT_FOUND",
  });
});

test("in an enclosure a command is handed over with profile, hosts and folder, and is looked after", async () => {
  const events: string[] = [];
  const { enclosure, asked } = openDoor(events);
  const { runner, root } = open({
    enclosure,
    policy: { judge: () => ({ decision: "allow", rule: "git", profile: "git" }) },
    around: {
      before: async () => void events.push("before"),
      after: async () => {
        events.push("after");
        return ["Undo does not cover this."];
      },
    },
  });
  mkdirSync(join(root, "sub"));
  const command = { command: ["echo", "hi"], cwd: "sub", timeoutMs, hosts: ["registry.npmjs.org"] };
  expect(await runner.run(command, silent, never)).toEqual({
    code: 0,
    signal: null,
    timedOut: false,
    left: 0,
    output: { text: "hi\n", bytes: 3, file: undefined },
    notices: ["A .git appeared and was taken away.", "Undo does not cover this."],
  });
  expect(asked).toEqual([{ argv: ["echo", "hi"], cwd: "sub", profile: "git", hosts: ["registry.npmjs.org"] }]);
  expect(events).toEqual(["before", "launch", "inspect", "after", "let go"]);
});

test("what cannot start is let go of, and what was begun around it is ended", async () => {
  const events: string[] = [];
  const { enclosure } = openDoor(events);
  const { runner } = open({
    enclosure: { ...enclosure, launch: () => Promise.reject(new Failure("E_ENCLOSURE", "A link stands in the way.")) },
    around: { before: async () => void events.push("before"), after: async () => (events.push("after"), []) },
  });
  await expect(runner.run({ command: ["true"], cwd: ".", timeoutMs }, silent, never)).rejects.toMatchObject({
    code: "E_ENCLOSURE",
  });
  expect(events).toEqual(["before", "after"]);
});

test("what asks to leave the sandbox does not start in it", async () => {
  const events: string[] = [];
  const actions: Action[] = [];
  const { runner } = open({
    enclosure: openDoor(events).enclosure,
    gate: async (action) => {
      actions.push(action);
      return { allowed: true, by: "person" };
    },
  });
  const ended = await runner.run({ command: "echo $0", cwd: ".", timeoutMs, outside: "push" }, silent, never);
  expect([ended.output.text.trim(), events]).toEqual([expect.stringMatching(/bash$/), []]);
  expect(actions).toMatchObject([{ enclosed: false, outside: "push", command: "echo $0" }]);
});

test("a program that is not there in an enclosure is told by what was looked for inside; an exit code of its own is not", async () => {
  const env = { PATH: "/usr/bin:/bin", INSIDE: "yes" };
  const { enclosure } = openDoor([], env);
  const { runner, root } = open({
    enclosure: {
      ...enclosure,
      launch: async ({ argv }) => plainLaunch(["sh", "-c", 'exec "$@"', "sh", ...argv], root, env),
    },
  });
  writeFileSync(join(root, "plain.txt"), "text");
  const run = (...command: string[]) => runner.run({ command, cwd: ".", timeoutMs }, silent, never);
  await expect(run("croft-absent")).rejects.toMatchObject({
    code: "E_NO_PROGRAM",
    message: `There is no program "croft-absent".`,
    remedy: "It was looked for in PATH: /usr/bin:/bin.",
  });
  await expect(run("./absent")).rejects.toMatchObject({ remedy: "It was looked for relative to cwd." });
  await expect(run("./plain.txt")).rejects.toMatchObject({ message: "./plain.txt is not executable." });
  for (const code of [126, 127]) expect(await run("sh", "-c", `exit ${code}`)).toMatchObject({ code });
});

test("shell text is not run where there is no sandbox", async () => {
  const { runner } = open({ gate: () => Promise.reject(new Error("asked")) });
  expect(runner.enclosed).toBe(false);
  await expect(runner.run({ command: "true", cwd: ".", timeoutMs }, silent, never)).rejects.toMatchObject({
    code: "E_NOT_ENCLOSED",
  });
});

test.each([
  ["a pipe and a group", "printf a | cat; { echo b; }"],
  ["a here-document with quotes", `sh <<'E-1'\necho "don't" | cat\nE-1`],
  ["a here-document that ends the text", "cat <<X\nhi\nX"],
  ["a comment at the end", "echo a # list"],
  ["a status", "false; echo $?; (exit 7)"],
  ["an open quote", `echo "oops`],
  ["an open parenthesis", "("],
  ["a here-document without end", "cat <<X"],
  ["a backslash at the end", "echo a \\"],
])("shell text reaches bash untouched, and what is unfinished fails at once: %s", async (_, command) => {
  const { runner } = open({ enclosure: openDoor([]).enclosure });
  const { code, output } = await runner.run({ command, cwd: ".", timeoutMs }, silent, never);
  const bash = spawnSync("/usr/bin/bash", ["-c", `exec 2>&1\n${command}`], { encoding: "utf8" });
  expect([code, withoutLine(output.text)]).toEqual([bash.status, withoutLine(bash.stdout + bash.stderr)]);
});

function withoutLine(message: string): string {
  return message.replaceAll(/ line \d+|\(wanted/g, "").replaceAll(/at line \d+/g, "");
}

test("a server goes on, is read piece by piece, and tells how it ended when it is stopped", async () => {
  const { runner, root } = open();
  const script = `trap 'echo bye; exit 0' TERM; echo up; echo $$ > pid; while :; do [ -e more ] && echo more && rm more; sleep 0.02; done`;
  const server = await runner.start({ command: ["bash", "-c", script], cwd: "." }, never);
  const pid = await pidIn(join(root, "pid"));
  expect([server.id, server.ended, runner.running()]).toEqual(["process-1", undefined, [server]]);
  expect(await until(server, "up\n")).toBe("up\n");
  writeFileSync(join(root, "more"), "");
  expect(await until(server, "more\n")).toBe("more\n");
  expect(server.read()).toBe("");
  const ended = await server.stop();
  expect(ended).toMatchObject({
    code: 0,
    signal: null,
    timedOut: false,
    output: { text: expect.stringMatching(/^up\nmore\n[^]*bye\n$/) },
  });
  expect([await gone(pid), server.ended, runner.running()]).toEqual([true, ended, []]);
});

test("a server that ends by itself is still known, with its exit code; waiting for it ends with it", async () => {
  const { runner } = open();
  const server = await runner.start({ command: ["bash", "-c", "echo no port; exit 7"], cwd: "." }, never);
  await server.wait(20_000, never);
  expect(server.ended).toMatchObject({ code: 7, output: { text: "no port\n" } });
  expect([runner.running(), server.read()]).toEqual([[server], "no port\n"]);
  expect(await server.stop()).toMatchObject({ code: 7 });
});

test("waiting for a server ends with the time or the signal", async () => {
  const { runner } = open();
  const server = await runner.start({ command: ["sleep", "300"], cwd: "." }, never);
  await server.wait(30, never);
  const cancel = new AbortController();
  const waiting = server.wait(20_000, cancel.signal);
  cancel.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  expect(server.ended).toBeUndefined();
});

test("servers end with the runner, and no more than eight run at a time", async () => {
  const { runner } = open();
  const sleep = { command: ["sleep", "300"], cwd: ".", timeoutMs };
  for (let count = 0; count < 8; count++) await runner.start(sleep, never);
  await expect(runner.start(sleep, never)).rejects.toMatchObject({ code: "E_TOO_MANY" });
  const servers = runner.running();
  await runner.close();
  expect(servers.map(({ ended }) => ended?.signal)).toEqual(Array.from({ length: 8 }, () => "SIGTERM"));
});

async function until(server: Running, end: string): Promise<string> {
  let text = "";
  for (let tries = 0; tries < 500 && !text.endsWith(end); tries++) {
    text += server.read();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return text;
}
