import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Event } from "../event.ts";
import type { CommandVerdict } from "../gate/command.ts";
import { policyGate } from "../gate/rules.ts";
import { call, say, scripted, type Script } from "../model/scripted.ts";
import { readOnlyPolicy } from "../policy/presets.ts";
import type { HeldFolder } from "../process/admission.ts";
import { createRunner } from "../process/create-runner.ts";
import { keptOutputs } from "../artifact/outputs.ts";
import { commandEnvironment } from "../process/environment.ts";
import type { Runner } from "../process/runner.ts";
import { openLog } from "../session/log.ts";
import { readOutput } from "../tool/code/read_output.ts";
import { readProcess } from "../tool/code/read_process.ts";
import { runCommand } from "../tool/code/run_command.ts";
import { runShell } from "../tool/code/run_shell.ts";
import { startProcess } from "../tool/code/start_process.ts";
import { stopProcess } from "../tool/code/stop_process.ts";
import type { Fence } from "../workspace/fence.ts";
import { openFence } from "../workspace/fence/on-disk.ts";
import { createLedger } from "../workspace/ledger.ts";
import { linesThrough } from "../workspace/lines.ts";
import { ripgrep } from "../workspace/search/ripgrep.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import { runTurn } from "./loop.ts";

let base: string;
let root: string;
let fence: Fence;
let runner: Runner;

function enter(asked: string): HeldFolder {
  const pinned = fence.pin(asked, "list");
  return { path: pinned.path, directory: fence.cwd(pinned), [Symbol.dispose]: () => pinned[Symbol.dispose]() };
}

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "croft-commands-")));
  root = join(base, "project");
  for (const folder of ["project", "project/sub", "outside", "state"]) mkdirSync(join(base, folder));
  fence = openFence(root, readOnlyPolicy());
  runner = createRunner({
    gate: policyGate(),
    policy: { judge: () => verdict },
    enter,
    fileAt: async () => undefined,
    env: commandEnvironment({ PATH: process.env["PATH"] }),
    folder: join(base, "state"),
  });
});
afterEach(async () => {
  await runner.close();
  fence.close();
  rmSync(base, { recursive: true });
});

const verdict: CommandVerdict = { decision: "allow", rule: "test", profile: "plain" };
const tools = [runCommand, runShell, startProcess, readProcess, stopProcess, readOutput];

/** The events of a turn in which a model plays a script, with real tools and programs. */
async function play(script: Script): Promise<Event[]> {
  const events: Event[] = [];
  const session = openLog({ id: "test", file: join(base, "trace.jsonl") });
  const options = {
    model: scripted(script),
    maxTokens: 1_000,
    system: [],
    tools,
    workspace: openWorkspace({ fence, gate: policyGate(), search: ripgrep("") }),
    ledger: createLedger(),
    runner,
    outputs: keptOutputs({ folder: join(base, "state") }),
    checks: [],
    lines: linesThrough(fence),
    session,
    root,
    budget: { steps: 10, tokens: 1_000_000, ms: 60_000 },
    cost: () => undefined,
    emit: (event: Event) => void events.push(event),
  };
  await runTurn("Do it.", options, new AbortController().signal);
  session.close();
  return events;
}

/** What the model was told, result by result. */
function results(events: readonly Event[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== "message" || event.message.role !== "user") return [];
    return event.message.content.flatMap((block) =>
      block.type === "tool_result"
        ? [block.content.map((part) => (part.type === "text" ? part.text : "")).join("")]
        : [],
    );
  });
}

async function resultOf(name: string, input: unknown): Promise<string> {
  return results(await play([call(name, input), say("done")])).join("\n");
}

test("the model gets exit code and output; who watches gets it live; the log keeps only the result", async () => {
  const argv = ["bash", "-c", "echo out; echo err >&2; exit 1"];
  const events = await play([call("run_command", { argv }, "c1"), say("done")]);
  expect(results(events)).toEqual(["exit code 1\nout\nerr"]);
  const live = events.flatMap((event) => (event.type === "output" ? [event] : []));
  expect(live.map(({ text }) => text).join("")).toBe("out\nerr\n");
  expect(live.every(({ id }) => id === "c1")).toBe(true);
  expect(events.find(({ type }) => type === "tool_result")).toMatchObject({
    ok: true,
    preview: "exit code 1",
    details: { code: 1, signal: null, timedOut: false, left: 0, bytes: 8, notices: [] },
  });
  const kept = readFileSync(join(base, "trace.jsonl"), "utf8");
  expect([kept.includes('"tool_result"'), kept.includes('"type":"output"')]).toEqual([true, false]);
});

test.each([
  ["no output", { argv: ["true"] }, "exit code 0\n(no output)"],
  [
    "time up",
    { argv: ["bash", "-c", "echo a; sleep 60"], timeout_seconds: 1 },
    "timed out after 1 s; process tree killed\na\n(What is meant to go on, such as a server or a watcher, is started with start_process.)",
  ],
  ["a signal", { argv: ["bash", "-c", "kill -ABRT $$"] }, "ended by signal SIGABRT\n(no output)"],
  [
    "something left behind",
    { argv: ["bash", "-c", "sleep 99 & sleep 99 & echo a"] },
    "exit code 0\na\n(2 processes left behind, and ended.)",
  ],
  ["no program", { argv: ["./absent"] }, `There is no program "./absent". It was looked for relative to cwd.`],
  ["nothing to run", { argv: [] }, "Invalid input: argv: must name a program. Correct it and call run_command again."],
  [
    "a line instead of a list",
    { argv: "ls -l" },
    "Invalid input: argv: must be a list of strings. Correct it and call run_command again.",
  ],
  [
    "too long",
    { argv: ["ls"], timeout_seconds: 601 },
    "Invalid input: timeout_seconds: must be <= 600. Correct it and call run_command again.",
  ],
  [
    "no host",
    { argv: ["ls"], hosts: ["http://x/"] },
    "Invalid input: hosts.0: must be host names. Correct it and call run_command again.",
  ],
])("run_command: %s", async (_, input, answer) => {
  expect(await resultOf("run_command", input)).toBe(answer);
});

test("of a long output the model gets start and end, and where all of it is", async () => {
  const answer = await resultOf("run_command", { argv: ["seq", "100000"] });
  expect(answer).toMatch(
    /^exit code 0\n1\n2\n[^]*\n… \(\d+ characters left out\) …\n[^]*\n100000\n\(The whole output, 588895 bytes, is kept: read on with read_output, id output-[^ ]*\.\)$/,
  );
  expect(answer.length).toBeLessThan(30_300);
  const id = /output-[0-9a-f-]{36}/.exec(answer)?.[0];
  expect(await resultOf("read_output", { id, contains: "7777", limit: 2 })).toBe(
    `${id}:\n7777\t7777\n17777\t17777\n(continue with offset 17778)`,
  );
});

test("run_shell is not run where there is no sandbox", async () => {
  expect(await resultOf("run_shell", { command: "echo a" })).toBe(
    "Shell text is run only in a sandbox, and there is none here. Use run_command with a program and its arguments.",
  );
});

test("a command runs in a folder of the project and nowhere else", async () => {
  symlinkSync("../outside", join(root, "link"));
  const pwd = (cwd: string): Promise<string> => resultOf("run_command", { argv: ["pwd"], cwd });
  expect(await pwd("sub")).toBe(`exit code 0\n${join(root, "sub")}`);
  for (const cwd of ["/", "..", "../outside", "sub/../..", join(base, "outside"), "link", "absent"]) {
    expect(await pwd(cwd)).not.toContain("exit code");
  }
});

test("a folder that is swapped for a link while the gate asks is still the folder that was asked about", async () => {
  const swapping = createRunner({
    gate: async () => {
      renameSync(join(root, "sub"), join(root, "moved"));
      symlinkSync("../outside", join(root, "sub"));
      return { allowed: true, by: "person" };
    },
    policy: { judge: () => verdict },
    enter,
    fileAt: async () => undefined,
    env: commandEnvironment({ PATH: process.env["PATH"] }),
    folder: join(base, "state"),
  });
  writeFileSync(join(root, "sub/run.sh"), "#!/bin/sh\npwd -P\n", { mode: 0o755 });
  const command = { command: ["./run.sh"], cwd: "sub", timeoutMs: 30_000 };
  const { output } = await swapping.run(command, () => undefined, new AbortController().signal);
  await swapping.close();
  expect(output.text).toBe(`${join(root, "moved")}\n`);
});

test("a server is started, read and stopped over several steps", async () => {
  const script = "echo ready; trap 'echo bye; exit 0' TERM; while :; do sleep 0.02; done";
  const events = await play([
    call("start_process", { argv: ["bash", "-c", script], wait_seconds: 1 }),
    call("read_process", {}),
    call("read_process", { id: "process-1" }),
    call("stop_process", { id: "process-1" }),
    call("read_process", { id: "process-1" }),
    say("done"),
  ]);
  expect(results(events).map((text) => text.replace("Terminated\n", ""))).toEqual([
    "process-1 is running\nready",
    `process-1: ${JSON.stringify(["bash", "-c", script])} is running`,
    "process-1 is running\n(no new output)",
    "exit code 0\nbye",
    `There is no process "process-1". None has been started.`,
  ]);
});

test("a server that fails at once is told with its exit code", async () => {
  const argv = ["bash", "-c", "echo port taken; exit 7"];
  const events = await play([call("start_process", { argv, wait_seconds: 30 }), call("read_process", {}), say("done")]);
  expect(results(events)).toEqual(["exit code 7\nport taken", `process-1: ${JSON.stringify(argv)} has ended`]);
});
