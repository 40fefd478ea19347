import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { needs } from "../../../../test/support/needs.ts";
import type { Event } from "../event.ts";
import { codeGate } from "../gate/code.ts";
import { fromHarness } from "../message.ts";
import { anthropic } from "../model/anthropic.ts";
import { openLog } from "../session/log.ts";
import { readPast, type Past } from "../session/past.ts";
import { readTrace } from "../session/trace.ts";
import { startMessagesServer, type MessagesServer } from "../testing/messages-server/messages-server.ts";
import { call, say, type ServerReply, type WirePart } from "../testing/messages-server/script.ts";
import { plantTree } from "../workspace/tree.testing.ts";
import { openCode, type CodeOptions } from "./code.ts";
import { commandsBelow } from "./commands.testing.ts";
import off from "./planning-off.md";
import on from "./planning-on.md";
import { replay } from "./replay.ts";

const never = new AbortController().signal;
const enclosed = describe.runIf(process.platform === "linux" && needs("bwrap"));
const [onWords, offWords] = [on, off].map((words) => fromHarness(words).text);

const files = {
  "a.txt": "one\n",
  "package.json": '{ "type": "module", "scripts": { "test": "node write.js" } }\n',
  "write.js": 'import { writeFileSync } from "node:fs";\nwriteFileSync("made.txt", "made");\n',
  "sub/b.txt": "two\n",
};

type Rig = {
  root: string;
  outside: string;
  trace: string;
  server: MessagesServer;
  events: Event[];
  run: (task: string) => Promise<{ status: string }>;
};

type Given = Partial<CodeOptions> & { sandbox?: boolean; git?: boolean; past?: Past };

/** Everything is allowed that can be. */
async function rig(script: readonly ServerReply[], given: Given = {}): Promise<Rig> {
  const { sandbox = true, git = false, ...more } = given;
  const tree = plantTree(files);
  onTestFinished(tree.remove);
  const trace = join(tree.outside, "trace.jsonl");
  if (git) commitAll(tree.root);
  const server = await startMessagesServer({ script });
  onTestFinished(() => server.close());
  const events: Event[] = [];
  const coding = await openCode({
    root: tree.root,
    gate: codeGate({ yes: true, unconfined: true, ask: async () => ({ allowed: true }) }),
    model: anthropic({ model: "claude-opus-5-5", apiKey: "test-key", baseUrl: server.url }),
    session: openLog({ id: "test", file: trace }),
    emit: (event) => events.push(event),
    commands: { ...commandsBelow(tree.outside, process.env["PATH"]), sandbox },
    verify: {},
    planning: () => true,
    ...more,
  });
  onTestFinished(() => coding.close());
  const run = (task: string): Promise<{ status: string }> => coding.run(task, never);
  return { root: tree.root, outside: tree.outside, trace, server, events, run };
}

function commitAll(root: string): void {
  const environment = { PATH: process.env["PATH"], HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]): void => {
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: root, env: environment });
  };
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "One");
  git("branch", "other");
}

/** Every entry below a folder with what it holds and when it was changed. */
function everything(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    const path = join(root, entry);
    const { mode, mtimeMs, ino } = lstatSync(path);
    const text = lstatSync(path).isFile() ? readFileSync(path, "latin1") : "";
    found[entry] = [mode, mtimeMs, ino, text].join(" ");
  }
  return found;
}

const results = (events: readonly Event[]): string[] =>
  events.flatMap((event) => (event.type === "tool_result" ? [`${event.ok ? "ok" : "failed"}: ${event.preview}`] : []));
const texts = (server: MessagesServer, request: number): unknown[] =>
  (server.requests[request - 1]?.body.messages.at(-1)?.content ?? []).map((block) => block["text"]);
const shell = (command: string): WirePart => call("run_shell", { command });
const program = (...argv: string[]): WirePart => call("run_command", { argv });

test("no tool that writes changes anything, and each says why", async () => {
  const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch";
  const { root, run, events } = await rig([
    call("read_file", { path: "a.txt" }),
    [
      call("edit_file", { path: "a.txt", old_string: "one", new_string: "two" }),
      call("write_file", { path: "new.txt", content: "new" }),
      call("apply_patch", { patch }),
    ],
    say("I would change a.txt."),
  ]);
  const before = everything(root);
  expect((await run("Change a.txt.")).status).toBe("done");
  expect(everything(root)).toEqual(before);
  const refused =
    "failed: This is not allowed: plan mode is on, and nothing is changed in it. Say what you would change.";
  expect(results(events).slice(1)).toEqual(Array(3).fill(expect.stringContaining(refused)));
});

enclosed("a command while planning", () => {
  test.each<[string, WirePart]>([
    ["rm", program("rm", "a.txt")],
    ["a redirection", shell("echo three > a.txt; echo > new.txt")],
    ["a shell in a program", program("sh", "-c", "echo > new.txt")],
    ["npm test", program("npm", "test")],
    ["git checkout", program("git", "checkout", "other")],
    ["git commit", shell("echo x > a.txt; git -c user.name=a -c user.email=a@b commit -qam Two")],
    ["git branch and gc", shell("git branch third; git gc -q --prune=now")],
    ["a move of a folder", program("mv", "sub", "/tmp/sub")],
    ["chmod and touch", shell("chmod 777 a.txt; touch a.txt")],
    ["a hard link and a symbolic one", shell("ln a.txt /tmp/x; echo > /tmp/x; ln -s $PWD/a.txt /tmp/y; echo > /tmp/y")],
    ["another name of the folder", shell("echo > /proc/self/cwd/a.txt; cd /proc/1/root/$PWD && echo > a.txt")],
    ["a mount", shell("mount -o remount,rw,bind $PWD; unshare -rm mount -o remount,rw,bind $PWD; echo > a.txt")],
    ["a child that stays", shell("setsid sh -c 'sleep 0.2; echo > a.txt' & sleep 0.5; echo > a.txt")],
    ["a server", call("start_process", { argv: ["sh", "-c", "echo > new.txt; sleep 30"], wait_seconds: 1 })],
    ["one that leaves the sandbox", call("run_command", { argv: ["rm", "a.txt"], outside_sandbox: "I must." })],
  ])("changes nothing in the project: %s", async (_, hostile) => {
    const script = [hostile, program("sleep", "0.3"), say("Tried.")];
    const { root, run, events } = await rig(script, { git: true });
    const before = everything(root);
    expect((await run("Try.")).status).toBe("done");
    expect(everything(root)).toEqual(before);
    expect(results(events)).toHaveLength(2);
  });

  test("reads, uses its own temporary files, and is told why it could not write; nothing is verified", async () => {
    const { run, events, outside } = await rig(
      [
        [program("cat", "a.txt"), program("git", "log", "--oneline"), shell("echo x > /tmp/x && cat /tmp/x sub/b.txt")],
        program("rm", "a.txt"),
        say("Read."),
      ],
      { git: true },
    );
    await run("Read.");
    expect(results(events).map((line) => line.slice(0, 30))).toEqual([
      expect.stringMatching(/^ok: /),
      expect.stringMatching(/^ok: /),
      expect.stringMatching(/^ok: /),
      expect.stringMatching(/^(?:ok|failed): /),
    ]);
    const last = events.findLast((event) => event.type === "message" && event.message.role === "user");
    expect(JSON.stringify(last)).toContain("The project was read-only for it.");
    expect(
      events.flatMap((event) => (event.type === "check" && event.name === "verify" ? [event.result] : [])),
    ).toEqual([{ pass: true }]);
    expect(readdirSync(outside)).not.toContain("undo");
  });

  test("what was changed before planning began in the middle of a turn is told as unverified", async () => {
    const landed = (): boolean => seen.some((event) => event.type === "tool_result" && event.landed !== undefined);
    const seen: Event[] = [];
    const { run, events } = await rig([call("write_file", { path: "c.txt", content: "c\n" }), say("Written.")], {
      planning: landed,
      emit: (event) => void seen.push(event),
    });
    await run("Write c.txt.");
    expect([
      events,
      seen.flatMap((event) => (event.type === "check" && event.name === "verify" ? [event.result] : [])),
    ]).toEqual([[], [{ pass: true, unverified: true, note: "plan mode is on, so nothing was verified" }]]);
  });

  test("that is asked about names what it is held to", async () => {
    const { run, events } = await rig([program("frobnicate", "--all"), say("Tried.")]);
    await run("Try.");
    const [decision] = events.flatMap((event) => (event.type === "decision" ? [event.action] : []));
    expect(decision).toMatchObject({ kind: "run", enclosed: true, readOnly: true });
  });

  test("a switch in the middle of a turn binds from the next action on, both ways", async () => {
    let planning = false;
    const script = [shell("echo 1 > one.txt"), shell("echo 2 > two.txt"), shell("echo 3 > three.txt"), say("Done.")];
    const { root, run } = await rig(script, {
      planning: () => planning,
      verify: undefined,
      emit(event) {
        if (event.type === "step") planning = event.step === 2;
      },
    });
    await run("Write.");
    expect(
      readdirSync(root)
        .filter((name) => /^(?:one|two|three)/.test(name))
        .toSorted(),
    ).toEqual(["one.txt", "three.txt"]);
  });
});

test("without a sandbox commands are refused, whatever the user has said yes to", async () => {
  const { root, run, events } = await rig([program("cat", "a.txt"), say("Tried.")], { sandbox: false });
  const before = everything(root);
  await run("Try.");
  expect(everything(root)).toEqual(before);
  expect(results(events)).toEqual([expect.stringContaining("there is no sandbox that could keep a command from")]);
});

describe("the model is told", () => {
  const said = say("Yes.");

  test("with the user's next words, once a switch, and the cached beginning stays what it was", async () => {
    const modes = [false, true, true, false, false];
    let turn = 0;
    const { run, server } = await rig(Array(5).fill(said), { planning: () => modes[turn] === true });
    for (; turn < modes.length; turn += 1) await run(`Task ${turn}`);
    expect(modes.map((_, index) => texts(server, index + 1))).toEqual([
      ["Task 0"],
      ["Task 1", onWords],
      ["Task 2"],
      ["Task 3", offWords],
      ["Task 4"],
    ]);
    expect(new Set(server.requests.map(({ body }) => JSON.stringify([body.system, body.tools]))).size).toBe(1);
    for (const { usage } of server.requests.slice(1)) expect(usage?.cacheRead).toBeGreaterThan(0);
  });

  test("in the middle of a turn, with what the user adds", async () => {
    let planning = false;
    const queue: { text: string }[] = [];
    const script = [call("read_file", { path: "a.txt" }), said];
    const { run, server } = await rig(script, {
      planning: () => planning,
      steering: () => queue.splice(0),
      emit(event) {
        if (event.type !== "step" || event.step !== 1) return;
        planning = true;
        queue.push({ text: "Only a plan." });
      },
    });
    await run("Change it.");
    expect(texts(server, 2)).toEqual([undefined, "Only a plan.", onWords]);
  });

  test("in a session that goes on in the other mode; a replay needs none of it", async () => {
    const first = await rig([said]);
    await first.run("Plan.");
    const past = await readPast(first.trace);
    const second = await rig([said, said], {
      past,
      planning: () => false,
      session: openLog({ id: "test", earlier: past }),
    });
    await second.run("Now do it.");
    await second.run("And on.");
    expect([texts(second.server, 1), texts(second.server, 2)]).toEqual([["Now do it.", offWords], ["And on."]]);
    const { same, differences } = await replay(await readTrace(first.trace), { emit: () => undefined }, never);
    expect({ same, differences }).toEqual({ same: true, differences: [] });
  });
});
