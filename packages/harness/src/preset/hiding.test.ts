import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Failure } from "../error.ts";
import type { Event } from "../event.ts";
import type { Action } from "../gate/action.ts";
import { codeGate } from "../gate/code.ts";
import type { Gate } from "../gate/gate.ts";
import { anthropic } from "../model/anthropic.ts";
import { createRedactor } from "../redact/redactor.ts";
import { keyBegin, keyEnd } from "../redact/samples.testing.ts";
import { openLog } from "../session/log.ts";
import { readTrace } from "../session/trace.ts";
import { startMessagesServer, type MessagesServer } from "../testing/messages-server/messages-server.ts";
import { call, say, type ServerScript } from "../testing/messages-server/script.ts";
import { plantTree } from "../workspace/tree.testing.ts";
import type { Attachments } from "./attachments.ts";
import { openCode, type CodeOptions } from "./code.ts";
import { openCodeTools } from "./code-tools.ts";
import { openReadOnly } from "./read-only.ts";
import { replay } from "./replay.ts";

const never = new AbortController().signal;
const salt = Buffer.from("a salt of a session, for tests");
const password = "q7Vb2LxWm9RtZc4K";
const piped = "Hn3Jd8Ws5Tg1Kp6Y";
const remembered = "Xw4Nc9Bq2Ry7Fh1L";
const keyLine = "q3Lk9xYw".repeat(8);
const placeholderOf = (secret: string): string => createRedactor(salt).hide(`password=${secret}`).text.slice(9);
const placeholder = placeholderOf(password);

const config = `[db]\nuser = "app"\npassword = "${password}"\n`;
const files = {
  "AGENTS.md": `The password of staging is password=${remembered}\n`,
  "config.toml": config,
  "docs/key.md": `# Key\n${keyBegin()}\n${keyLine}\n${keyLine}\n${keyEnd()}\n`,
  "src/main.ts": "connect();\n",
};

type Rig = {
  server: MessagesServer;
  events: Event[];
  actions: Action[];
  trace: string;
  content: (path: string) => string;
  run: (task: string, attachments?: Attachments) => Promise<{ status: string }>;
};

async function rig(script: ServerScript, more: Partial<CodeOptions> = {}): Promise<Rig> {
  const tree = plantTree(files);
  const folder = mkdtempSync(join(tmpdir(), "croft-hiding-"));
  const server = await startMessagesServer({ script });
  const events: Event[] = [];
  const actions: Action[] = [];
  const allowing = codeGate({ yes: true });
  const gate: Gate = async (action, signal) => {
    actions.push(action);
    return allowing(action, signal);
  };
  const trace = join(folder, "trace.jsonl");
  const session = openLog({ id: "test", file: trace });
  const coding = await openCode({
    root: tree.root,
    gate,
    model: anthropic({ model: "claude-opus-5-5", apiKey: "test-key", baseUrl: server.url }),
    session,
    secrets: { salt: () => salt },
    emit: (event) => events.push(event),
    ...more,
  });
  onTestFinished(async () => {
    await coding.close();
    session.close();
    await server.close();
    tree.remove();
    rmSync(folder, { recursive: true });
  });
  return {
    server,
    events,
    actions,
    trace,
    content: (path) => readFileSync(join(tree.root, path), "utf8"),
    run: (task, attachments) => coding.run(task, never, attachments),
  };
}

/** The results of tools in the last message of a request, each with its first line. */
function results({ server }: Rig, request: number): string[] {
  const blocks = server.requests[request]?.body.messages.at(-1)?.content ?? [];
  return blocks.flatMap((block) => (block.type === "tool_result" ? [Object(block.content).at(0).text] : []));
}

const notices = ({ events }: Rig): string[] =>
  events.flatMap((event) => (event.type === "notice" && event.code === "secrets" ? [event.text] : []));

/** Everything that leaves the process or is kept: requests, events, the trace. */
function expectHidden({ server, events, trace }: Rig): void {
  const told = {
    requests: JSON.stringify(server.requests.map(({ body }) => body)),
    events: JSON.stringify(events),
    trace: readFileSync(trace, "utf8"),
  };
  for (const secret of [password, piped, remembered, keyLine]) {
    for (const [where, text] of Object.entries(told))
      expect(text.includes(secret), `${secret} in ${where}`).toBe(false);
  }
}

const patch = [
  "*** Begin Patch",
  "*** Update File: config.toml",
  "@@",
  ` password = "${placeholder}"`,
  "+port = 1",
  "*** End Patch",
].join("\n");

test("a session that reads, searches, edits, patches, writes, attaches and cites shows no secret to anybody", async () => {
  const moved = `[db]\npassword = "${placeholder}"\nport = 1\nuser = "app"\n`;
  const world = await rig([
    [
      call("read_file", { path: "config.toml" }),
      call("read_file", { path: "docs/key.md", offset: 3 }),
      call("search", { pattern: "password =" }),
    ],
    call("edit_file", { path: "config.toml", old_string: 'user = "app"', new_string: 'user = "root"' }),
    call("apply_patch", { patch }),
    call("write_file", { path: "config.toml", content: "[db]\n" }),
    call("write_file", { path: "config.toml", content: moved }),
    [call("read_file", { path: "src/main.ts" })],
    call("edit_file", { path: "src/main.ts", old_string: "connect()", new_string: `connect("${placeholder}")` }),
    say("The `password` is at config.toml:2, the key at docs/key.md:3."),
  ]);
  const attachments = { texts: [{ name: "stdin", text: `token=${piped}\n` }], mentions: ["config.toml"] };
  expect(await world.run("Move it.", attachments)).toMatchObject({ status: "done" });
  expectHidden(world);
  expect(world.content("config.toml")).toBe(moved.replace(placeholder, password));
  expect(world.content("src/main.ts")).toBe("connect();\n");

  const [read, key, found] = results(world, 1);
  expect(read).toBe(`config.toml: lines 1-3 of 3\n1\t[db]\n2\tuser = "app"\n3\tpassword = "${placeholder}"`);
  expect(key?.split("\n").map((line) => line.replaceAll(/:[0-9a-f]{16}/g, ""))).toEqual([
    "docs/key.md: lines 3-5 of 5",
    "3\t[secret:private-key]",
    "4\t[secret:private-key]",
    `5\t${keyEnd()}`,
  ]);
  expect(found).toBe(`config.toml:3: password = "${placeholder}"`);
  expect([4, 7].flatMap((request) => results(world, request))).toEqual([
    `config.toml has a secret that the new content lacks: ${placeholder}. Write its placeholder where the secret belongs. To remove the secret, edit its line.`,
    `${placeholder} stands for a secret of another file, so it is not written into src/main.ts. Let the program read it from where it is, or from the environment.`,
  ]);
  expect(notices(world)).toEqual([
    "1 secret hidden in stdin",
    "1 secret hidden in config.toml",
    "1 secret hidden in config.toml",
    "1 secret hidden in docs/key.md",
    "1 secret hidden in config.toml",
    "1 secret hidden in config.toml",
    "1 secret hidden in config.toml",
    "1 secret hidden in config.toml",
  ]);
  expect(world.events.flatMap((event) => (event.type === "citation" ? [`${event.state} ${event.ref}`] : []))).toEqual([
    "verified config.toml:2",
    "verified docs/key.md:3",
  ]);
});

test("who decides about a change sees the secret, and the event of the decision has none", async () => {
  const world = await rig([
    call("read_file", { path: "config.toml" }),
    call("edit_file", { path: "config.toml", old_string: 'user = "app"', new_string: 'user = "root"' }),
    say("Done."),
  ]);
  await world.run("Change it.");
  const diffs = (actions: readonly Action[]): string[] =>
    actions.flatMap((action) => (action.kind === "write" ? action.changes.map(({ diff }) => diff) : [])).slice(-1);
  const decided = world.events.flatMap((event) => (event.type === "decision" ? [event.action] : []));
  expect(diffs(world.actions)).toEqual([expect.stringContaining(` password = "${password}"`)]);
  expect(diffs(decided)).toEqual([expect.stringContaining(` password = "${placeholder}"`)]);
});

test("memory files are hidden, and one of the project can be edited by its placeholder", async () => {
  const script: ServerScript = [
    call("read_file", { path: "AGENTS.md" }),
    call("edit_file", { path: "AGENTS.md", old_string: placeholderOf(remembered), new_string: "in the vault" }),
    say("Done."),
  ];
  const world = await rig(script, { gate: async () => ({ allowed: true, by: "person" }) });
  await world.run("Take it out.");
  expectHidden(world);
  expect(JSON.stringify(world.server.requests[0]?.body.system)).toContain(placeholderOf(remembered));
  expect(world.content("AGENTS.md")).toBe("The password of staging is password=in the vault\n");
});

test("a resumed session knows its placeholders, another one does not", async () => {
  const script: ServerScript = [
    call("read_file", { path: "config.toml" }),
    call("edit_file", { path: "config.toml", old_string: placeholder, new_string: `${placeholder}!` }),
    say("Done."),
  ];
  const resumed = await rig(script);
  await resumed.run("Go on.");
  expect(resumed.content("config.toml")).toBe(config.replace(password, `${password}!`));
  const another = await rig(script, { secrets: {} });
  await another.run("Go on.");
  expect(another.content("config.toml")).toBe(config);
  expect(results(another, 2)[0]).toMatch(/^In config\.toml: old_string is not there/);
});

test("the run that a trace recorded is the same again, its reading tools too where the salt is that of the session", async () => {
  const world = await rig([
    [call("read_file", { path: "config.toml" }), call("search", { pattern: "password" })],
    call("edit_file", { path: "src/main.ts", old_string: "x", new_string: placeholder }),
    say("See config.toml:3."),
  ]);
  await world.run("Look.", { texts: [{ name: "stdin", text: `token=${piped}` }] });
  const root = plantTree(files);
  onTestFinished(root.remove);
  const live = openReadOnly({ root: root.root, gate: codeGate({ yes: true }), secrets: { salt: () => salt } });
  onTestFinished(() => live.close());
  const replayed = await replay(await readTrace(world.trace), { emit: () => undefined, live }, never);
  expect([replayed.differences, replayed.same]).toEqual([[], true]);
});

test("whoever wants to see everything does", async () => {
  const world = await rig([call("read_file", { path: "config.toml" }), say("Done.")], { secrets: false });
  await world.run("Read.", { texts: [{ name: "stdin", text: `token=${piped}` }] });
  expect(results(world, 1)[0]).toContain(password);
  expect(JSON.stringify(world.server.requests[0]?.body)).toContain(piped);
  expect(notices(world)).toEqual([]);
});

test("what a tool lets through is hidden all the same: its text, its details, its failure", async () => {
  const { tools, hiding, ...doors } = await openCodeTools({
    root: plantedRoot(),
    gate: codeGate({ yes: true }),
    secrets: { salt: () => salt },
  });
  onTestFinished(() => doors.close());
  const [first] = tools;
  if (first === undefined) throw new Error("There are no tools.");
  const context = Object({ signal: never });
  const talkative = hiding.tool({
    ...first,
    run: async () => ({
      content: [{ type: "text", text: `password=${password}` }],
      details: { lines: [`it is ${password}`], count: 1, none: null },
    }),
  });
  expect(await talkative.run({}, context)).toEqual({
    content: [{ type: "text", text: `password=${placeholder}` }],
    details: { lines: [`it is ${placeholder}`], count: 1, none: null },
  });
  const failing = hiding.tool({
    ...first,
    run: async () => {
      throw new Failure("E_ANY", `password=${password}`);
    },
  });
  await expect(failing.run({}, context)).rejects.toThrow(`password=${placeholder}`);
});

test("a call made by hand gives no command a placeholder either", async () => {
  const root = plantedRoot();
  const outputs = mkdtempSync(join(tmpdir(), "croft-hiding-"));
  const places = { home: outputs, cache: outputs, quarantine: outputs, outputs };
  const doors = await openCodeTools({
    root,
    gate: codeGate({ yes: true, unconfined: true }),
    secrets: { salt: () => salt },
    commands: { user: process.env, ...places, sandbox: false },
  });
  onTestFinished(async () => {
    await doors.close();
    rmSync(outputs, { recursive: true });
  });
  const text = `${placeholder} stands for a secret, which no command is given. Let the program read it from where it is, or from the environment.`;
  expect(await doors.call("run_command", { argv: ["echo", placeholder] }, never)).toEqual({
    ok: false,
    content: [{ type: "text", text }],
  });
});

function plantedRoot(): string {
  const tree = plantTree(files);
  onTestFinished(tree.remove);
  return tree.root;
}
