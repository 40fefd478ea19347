import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, errorEvent, reply, say, think, type ServerScript } from "@croft/harness/testing";
import { expect, test } from "vitest";
import { croft, eventsOf, makeWorld, type Ended, type World } from "./croft.ts";
import { key, serve } from "./server.ts";

const files = { "a.ts": "export const name = 1;\n", "b.ts": "export const other = 2;\n", ".env": "KEY=hidden\n" };
const searching: ServerScript = [
  [think("Let me see."), say("I look."), call("search", { pattern: "name" }), call("read_file", { path: "b.ts" })],
  call("read_file", { path: ".env" }),
  [say("It is"), errorEvent("overloaded_error")],
  say("`name` is at a.ts:1, not at b.ts:9."),
  say("`name` is at a.ts:1, and `nothing` at b.ts:1."),
];

/** A question asked of a server that is closed by the time it is replayed. */
async function record(
  script: ServerScript,
  ...options: string[]
): Promise<{ world: World; recorded: Ended; trace: string }> {
  const server = await serve(script);
  const world = makeWorld(files);
  const trace = join(world.base, "t.jsonl");
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url };
  const recorded = await croft(world, ["ask", "Where is name?", "--trace", trace, ...options], { env });
  await server.close();
  return { world, recorded, trace };
}

/** Changes one line of a trace and leaves its seal as it is. */
function change(trace: string, type: string, nth: number, from: string, to: string): number {
  const lines = readFileSync(trace, "utf8").split("\n");
  const index = lines.flatMap((line, at) => (line.includes(`"type":"${type}"`) ? [at] : []))[nth - 1] ?? -1;
  expect(lines[index]).toContain(from);
  writeFileSync(trace, lines.with(index, lines[index]?.replace(from, to) ?? "").join("\n"));
  return index + 1;
}

/** Everything below a folder with its size and time. */
function stateOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.includes(".cache")) // compiled code of croft itself
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name));
      return `${name} ${size} ${mtimeMs}`;
    });
}

test("a run is shown again as it was, and found identical, without server, key or project, and nothing is written", async () => {
  const { world, recorded, trace } = await record(searching);
  rmSync(join(world.project), { recursive: true });
  mkdirSync(world.project);
  await croft(world, ["replay", trace]);
  const before = stateOf(world.base);
  const { code, out, err } = await croft(world, ["replay", trace]);
  expect([code, out]).toEqual([0, recorded.out]);
  const events = readFileSync(trace, "utf8").trimEnd().split("\n").length;
  const shown = recorded.err.replace("Let me see.\n", "").replace(/trace .*\n$/, "no trace\n"); // no trace holds what is only streamed
  expect(err).toBe(`${shown}replay: identical, ${events} events\n`);
  expect(stateOf(world.base)).toEqual(before);
});

test("with --json it prints the events as they were, and the verdict last", async () => {
  const { world, recorded, trace } = await record(searching, "--json");
  const { code, out, err } = await croft(world, ["replay", trace, "--json"]);
  const events = eventsOf(out);
  const verdict = events.pop();
  const told = eventsOf(recorded.out).filter(({ type }) => type !== "delta");
  expect([code, err]).toEqual([0, ""]);
  expect(events.filter(({ type }) => type !== "delta")).toEqual(
    told.map((event) => (event.type === "start" ? Object.assign(event, { trace: undefined }) : event)),
  );
  expect(verdict).toEqual({
    type: "replay",
    same: true,
    turns: 1,
    events: told.length,
    unfinished: 0,
    calls: 0,
    differences: [],
    damage: [],
  });
});

test.each<[string, string, number, string, string]>([
  ["a tool's result", "message", 3, "other = 2", "other = 3"],
  ["a reply", "message", 2, "I look", "I took"],
  ["a cited line", "lines", 1, "name = 1", "name = 2"],
])("one byte of %s that was changed is found, with its line", async (_, type, nth, from, to) => {
  const { world, trace } = await record(searching);
  const line = change(trace, type, nth, from, to);
  const { code, err } = await croft(world, ["replay", trace]);
  expect(code).toBe(1);
  expect(err).toContain(`\nreplay: line ${line} of the trace was changed after it was written\n`);
  expect(err).toMatch(/\nreplay: \d+ differences?, \d+ events compared\n$/);
});

test("what follows from a change is shown: what was recorded, what it is now", async () => {
  const { world, trace } = await record([say("`name` is at a.ts:1.")]);
  const changed = change(trace, "message", 2, "a.ts:1", "a.ts:7");
  const { code, out, err } = await croft(world, ["replay", trace]);
  expect([code, out]).toEqual([1, "`name` is at a.ts:7.\n"]);
  expect(err).toContain(`\nreplay: line ${changed} of the trace was changed after it was written\n`);
  expect(err).toMatch(/\nreplay: line 5 \(step 1\) differs: lines\.from\n {3}recorded: 1\n {3}now: {6}4\n/);
});

test("a project that has changed makes no difference, but to --live-tools, which names the very call", async () => {
  const { world, recorded, trace } = await record(searching);
  writeFileSync(join(world.project, "b.ts"), "export const other = 7;\n");
  const plain = await croft(world, ["replay", trace], { cwd: world.base });
  expect([plain.code, plain.out]).toEqual([0, recorded.out]);

  const live = await croft(world, ["replay", trace, "--live-tools"]);
  expect([live.code, live.out]).toEqual([1, recorded.out]);
  expect(live.err.split("\n").slice(-5)).toEqual([
    expect.stringMatching(/^replay: line \d+ \(step 1\) differs: read_file\(\{"path":"b\.ts"\}\), made again$/),
    String.raw`   recorded: …"\n1\texport const other = 2;"`,
    String.raw`   now:      …"\n1\texport const other = 7;"`,
    expect.stringMatching(/^replay: 1 difference, \d+ events compared; 3 calls made again$/),
    "",
  ]);

  writeFileSync(join(world.project, "b.ts"), files["b.ts"]);
  const named = await croft(world, ["replay", trace, "--live-tools", "-C", "project"], { cwd: world.base });
  expect([named.code, named.err.split("\n").at(-2)]).toEqual([
    0,
    expect.stringMatching(/identical, .*; 3 calls made again$/),
  ]);
});

test.each<[string, number, ServerScript, string[]]>([
  ["refused", 15, [reply(say("No."), { stop: "refusal" })], []],
  ["max_turns", 10, [call("search", { pattern: "a" }), call("search", { pattern: "b" })], ["--max-turns", "2"]],
  ["check_failed", 17, [say("See gone.ts:1."), say("See gone.ts:1.")], []],
  ["timeout", 13, () => reply(say("Late."), { delayMs: 600_000 }), ["--timeout", "0.3"]],
])("a run that ended as %s is replayed with success", async (status, code, script, options) => {
  const { world, recorded, trace } = await record(script, ...options);
  expect([recorded.code, recorded.err]).toEqual([code, expect.stringContaining(`\n${status}: `)]);
  const replayed = await croft(world, ["replay", trace]);
  expect([replayed.code, replayed.out]).toEqual([0, recorded.out]);
  expect(replayed.err).toMatch(/\nreplay: identical, \d+ events\n$/);
});

test("a trace is replayed where the repository stands elsewhere, under another home", async () => {
  const { recorded, trace } = await record(searching);
  const other = makeWorld(Object.fromEntries(Object.entries(files).map(([name, text]) => [`deep/down/${name}`, text])));
  const moved = join(other.base, "sent.jsonl");
  copyFileSync(trace, moved);
  const project = join(other.project, "deep/down");
  for (const [args, verdict] of [
    [[], /\nreplay: identical, \d+ events\n$/],
    [["--live-tools", "-C", project], /\nreplay: identical, \d+ events; 3 calls made again\n$/],
  ] as const) {
    const { code, out, err } = await croft(other, ["replay", moved, ...args]);
    expect([code, out, err]).toEqual([0, recorded.out, expect.stringMatching(verdict)]);
  }
});

test("a trace of a run that was killed is replayed as far as it goes", async () => {
  const { world, trace } = await record(searching);
  writeFileSync(trace, readFileSync(trace, "utf8").split("\n").slice(0, 8).join("\n"));
  const { code, out, err } = await croft(world, ["replay", trace]);
  expect([code, out]).toEqual([0, ""]);
  expect(err).toMatch(/\nreplay: identical, \d events; the trace ends before its turn does\n$/);
});

test("what is no trace is said to be none", async () => {
  const world = makeWorld({
    "empty.jsonl": "",
    "text.md": "# Hello\n",
    "old.jsonl": '{"ms":0,"type":"start","session":"s","root":"/","model":"m","task":"t"}\n',
  });
  const tries = [
    [],
    ["a", "b"],
    ["no.jsonl"],
    ["."],
    ["/dev/zero"],
    ["empty.jsonl"],
    ["text.md"],
    ["old.jsonl"],
    ["text.md", "-C", "."],
  ];
  const ended = await Promise.all(tries.map((args) => croft(world, ["replay", ...args])));
  expect(ended.map(({ code, out, err }) => [code, out, /\((E_\w+)\)\n$/.exec(err)?.[1]])).toEqual(
    [
      "E_NO_SESSION",
      "E_ARGUMENTS",
      "E_NO_TRACE",
      "E_NO_TRACE",
      "E_NO_TRACE",
      "E_NOT_A_TRACE",
      "E_NOT_A_TRACE",
      "E_TRACE_INCOMPLETE",
      "E_ARGUMENTS",
    ].map((name) => [2, "", name]),
  );
  expect(ended[2]?.err).toBe(
    `croft: There is no file ${join(world.project, "no.jsonl")}. Give the file that a run names as its trace. (E_NO_TRACE)\n`,
  );
});
