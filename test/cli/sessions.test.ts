import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { lockSession } from "@croft/harness";
import { call, reply, say, think, type MessagesServer, type ServerReply } from "@croft/harness/testing";
import { expect, onTestFinished, test } from "vitest";
import { croft, eventsOf, makeWorld, start, until, type Ended, type World } from "./croft.ts";
import { key, serve } from "./server.ts";

const files = { "a.ts": "export const a = 1;\n", "b.ts": "export const b = 1;\n" };
const edit = (path: string, from: string, to: string): ServerReply =>
  call("edit_file", { path, old_string: from, new_string: to });
const read = (path: string): ServerReply => call("read_file", { path });

type Place = { world: World; server: MessagesServer; run: (...args: string[]) => Promise<Ended> };

/** A project, and a service that remembers what it said: all that is sent to it must be valid. */
async function place(script: readonly ServerReply[]): Promise<Place> {
  const world = makeWorld(files);
  const server = await serve(script);
  onTestFinished(() => expect(server.rejections).toEqual([]));
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url };
  return { world, server, run: (...args) => croft(world, args, { env }) };
}

const traces = ({ home }: World): string => join(home, ".local/state/croft/traces");
const content = ({ project }: World, path: string): string => readFileSync(join(project, path), "utf8");

async function listed({ run }: Place): Promise<{ [key: string]: unknown }[]> {
  return eventsOf((await run("sessions", "--json")).out);
}

/** What the last message of a request holds, as texts. */
function lastSaid(server: MessagesServer, request: number): string[] {
  const message = server.requests[request]?.body.messages.at(-1);
  return (message?.content ?? []).flatMap((block) => {
    const parts: unknown[] = Array.isArray(block["content"]) ? block["content"] : [block];
    return parts.map((part) => String(Object(part).text));
  });
}

test("a session goes on as if it had never stopped: what was said and read, its system prompt, its cost, its undo", async () => {
  const here = await place([
    [think("Look."), call("read_file", { path: "a.ts" }, "t1")],
    say("It is 1: a.ts:1."),
    edit("a.ts", "1", "2"),
    say("Now it is 2."),
  ]);
  const { world, server, run } = here;
  const first = await run("run", "--yes", "What is a?");
  const second = await run("resume", "--yes", "Make it 2.");
  expect([first.code, second.code, second.out]).toEqual([0, 0, "Now it is 2.\n"]);
  expect(content(world, "a.ts")).toBe("export const a = 2;\n");
  const [one, , three] = server.requests.map(({ body }) => body);
  expect([three?.system, three?.tools]).toEqual([one?.system, one?.tools]);
  expect(three?.messages.map(({ role, content: blocks }) => [role, blocks.map(({ type }) => type).join()])).toEqual([
    ["user", "text"],
    ["assistant", "thinking,tool_use"],
    ["user", "tool_result"],
    ["assistant", "text"],
    ["user", "text"],
  ]);
  expect(second.err).toMatch(/^The session goes on after 1 turn, \$0\.\d{4}\.$/m);
  expect(second.err).toMatch(/^done: 2 steps, .*\$0\.\d{4} \(\$0\.\d{4} in this session\)/m);
  expect(await listed(here)).toEqual([
    {
      type: "session",
      id: expect.stringMatching(/^\d{8}T\d{6}Z-[0-9a-f]{6}$/),
      file: expect.stringContaining(traces(world)),
      at: expect.any(Number),
      bytes: expect.any(Number),
      root: world.project,
      task: "What is a?",
      model: "anthropic/claude-opus-5-5",
      turns: 2,
      dollars: expect.any(Number),
      status: "done",
    },
  ]);
  const undone = await run("undo");
  expect([undone.code, content(world, "a.ts")]).toEqual([0, files["a.ts"]]);
});

test("a session that was resumed is replayed to the byte", async () => {
  const here = await place([
    [think("Look."), call("read_file", { path: "a.ts" }, "t1")],
    say("It is 1: a.ts:1."),
    edit("a.ts", "1", "3"),
    read("a.ts"),
    edit("a.ts", "2", "3"),
    say("Now it is 3."),
  ]);
  await here.run("run", "--yes", "What is a?");
  writeFileSync(join(here.world.project, "a.ts"), "export const a = 2;\n");
  const { code, err } = await here.run("resume", "--yes", "Make it 3.");
  expect([code, content(here.world, "a.ts")]).toEqual([0, "export const a = 3;\n"]);
  expect(err).toContain("attached a note on files that changed since they were read: a.ts");
  expect(lastSaid(here.server, 2)).toEqual([
    "Make it 3.",
    "[harness] The session goes on. These files have changed since you saw them; read them again before you rely on them: a.ts",
  ]);
  expect(lastSaid(here.server, 3)[0]).toMatch(/changed since/);
  const [session] = await listed(here);
  const replayed = await here.run("replay", String(session?.["file"]));
  expect([replayed.code, replayed.err.split("\n").at(-2)]).toEqual([
    0,
    expect.stringMatching(/^replay: identical, 44 events$/),
  ]);
});

test("without a message a session that was broken off goes on; one that is done has to be told how", async () => {
  const { run, server } = await place([say("Half."), say("Done."), say("More.")]);
  await run("ask", "One?", "--timeout", "0.001");
  const resumed = await run("resume", "--timeout", "60");
  expect([resumed.code, lastSaid(server, server.requests.length - 1).at(-1)]).toEqual([
    0,
    "Go on where you were interrupted.",
  ]);
  const refused = await run("resume");
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("E_NO_QUESTION")]);
});

test.each([
  ["between two requests", [call("read_file", { path: "a.ts" }, "t1")]],
  ["in a reply", reply([think("Hm."), say("Half an answer that goes on and on.")], { paceMs: 2_000 })],
])("killed %s, a session is listed as interrupted and goes on", async (_, broken) => {
  const hanging = reply(say("Never."), { delayMs: 60_000 });
  const script = Array.isArray(broken) ? [broken, hanging] : [broken];
  let killed = false;
  const world = makeWorld(files);
  const server = await serve((_request, n) => (killed ? say("Done.") : (script[n - 1] ?? hanging)));
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url };
  const run = start(world, ["run", "--yes", "Go."], { env });
  await until(() => server.requests.length === script.length);
  run.child.kill("SIGKILL");
  await run.ended;
  killed = true;
  const list = await croft(world, ["sessions"]);
  expect(list.out).toMatch(/ {2}interrupted {4}1 turn /);
  const { code, out, err } = await croft(world, ["resume"], { env });
  expect([code, out, server.rejections]).toEqual([0, "Done.\n", []]);
  expect(err).toContain("croft was ended in");
  expect(readdirSync(traces(world)).filter((name) => name.endsWith(".lock"))).toEqual([]);
});

test("lines that are torn, foreign or NUL hide no others, are named, and what is new stands on a line of its own", async () => {
  const here = await place([say("One."), say("Two."), say("Three.")]);
  await here.run("ask", "First?");
  await here.run("resume", "Second?");
  const [session] = await listed(here);
  const file = String(session?.["file"]);
  const lines = readFileSync(file, "utf8").split("\n");
  const second = lines.findIndex((line, at) => at > 1 && line.includes('"type":"start"'));
  writeFileSync(
    file,
    [...lines.slice(0, second), "{bad", ...lines.slice(second, -1), '{"ms":1,"type":"mess'].join("\n"),
  );
  appendFileSync(file, "\0".repeat(100));
  const { code, err } = await here.run("resume", "Third?");
  expect(code).toBe(0);
  expect(err).toContain(`Lines ${second + 1}, ${lines.length + 1} of the log cannot be read: left out.`);
  const texts = here.server.requests[2]?.body.messages.flatMap(({ content: blocks }) => blocks.map(({ text }) => text));
  expect(texts).toEqual(["First?", "One.", "Second?", "Two.", "Third?"]);
  expect((await listed(here))[0]).toMatchObject({ turns: 3, status: "done" });
});

test("a session in which a croft is at work is refused, and can be forked", async () => {
  const world = makeWorld(files);
  const server = await serve((_request, n) => (n === 1 ? reply(say("Late."), { delayMs: 60_000 }) : say("Copied.")));
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url };
  const busy = start(world, ["ask", "Wait."], { env });
  await until(() => server.requests.length === 1);
  const [session] = eventsOf((await croft(world, ["sessions", "--json"])).out);
  expect(session).toMatchObject({ status: "running" });
  const refused = await croft(world, ["resume", "And?"], { env });
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`process ${busy.child.pid}`)]);
  const before = readFileSync(String(session?.["file"]));
  const forked = await croft(world, ["fork", String(session?.["id"])], { env });
  const copied = await croft(world, ["resume", forked.out.trim(), "And now?"], { env });
  expect([forked.code, copied.code, copied.out]).toEqual([0, 0, "Copied.\n"]);
  expect(readFileSync(String(session?.["file"]))).toEqual(before);
  busy.child.kill("SIGKILL");
  await busy.ended;
});

test("a fork begins with the turns up to the one that is named, and says where it comes from", async () => {
  const here = await place([say("One."), say("Two."), say("Other two.")]);
  await here.run("ask", "First?");
  await here.run("resume", "Second?");
  const [session] = await listed(here);
  const id = String(session?.["id"]);
  const forked = await here.run("fork", id.slice(-6), "--at", "1", "--json");
  expect(JSON.parse(forked.out)).toMatchObject({ type: "fork", from: id, turns: 1 });
  const other = String(JSON.parse(forked.out).id);
  await here.run("resume", other, "Another second?");
  const texts = here.server.requests[2]?.body.messages.flatMap(({ content: blocks }) => blocks.map(({ text }) => text));
  expect(texts).toEqual(["First?", "One.", "Another second?"]);
  expect((await listed(here)).map(({ id: name, turns, from }) => [name, turns, from])).toEqual([
    [other, 2, id],
    [id, 2, undefined],
  ]);
  const missing = await here.run("fork", id, "--at", "3");
  expect([missing.code, missing.err]).toEqual([1, expect.stringContaining("It has 2 turns.")]);
});

test("what cannot be gone on with is said, and nothing is left behind", async () => {
  const { world, run } = await place([]);
  expect((await run("sessions")).err).toBe("There is no session here yet.\n");
  for (const [args, code] of [
    [["resume", "Go on."], "E_NO_SESSION"],
    [["resume", "20261130T170024Z-3f9a1c", "Go on."], "E_NO_SESSION"],
    [["resume", "no.jsonl", "Go on."], "E_NO_TRACE"],
    [["resume", "3f9a1c"], "E_NO_SESSION"],
    [["fork"], "No session is named."],
    [["trace"], "E_NO_SESSION"],
    [["trace", "3f9a1c"], "E_NO_SESSION"],
    [["fork", "../../x"], "E_NO_SESSION"],
  ] as const) {
    const { code: exit, err } = await run(...args);
    expect([exit, err]).toEqual([2, expect.stringContaining(code)]);
  }
  writeFileSync(join(world.base, "empty.jsonl"), "");
  const empty = await run("resume", join(world.base, "empty.jsonl"), "Go on.");
  expect([empty.code, empty.err]).toEqual([2, expect.stringContaining("E_NOT_A_SESSION")]);
  expect(existsSync(join(world.base, "empty.jsonl.lock"))).toBe(false);
});

test("a trace that is shown or replayed is named by its session as well, and without a name it is the last one", async () => {
  const here = await place([say("One."), say("Two.")]);
  await here.run("ask", "First?");
  await here.run("ask", "Second?");
  const [second, first] = (await listed(here)).map(({ id }) => String(id));
  const shown = async (...args: string[]): Promise<string | undefined> =>
    (await here.run("trace", ...args)).out.split("\n")[0];
  expect([await shown(), await shown(second ?? ""), await shown((first ?? "").slice(-6))]).toEqual([
    "Second?",
    "Second?",
    "First?",
  ]);
  const outs = [await here.run("replay"), await here.run("replay", first ?? "")].map(({ code, out }) => [code, out]);
  expect(outs).toEqual([
    [0, "Two.\n"],
    [0, "One.\n"],
  ]);
});

test("a question's session stays read-only, and each project lists its own", async () => {
  const here = await place([say("One."), edit("a.ts", "1", "2"), say("No.")]);
  await here.run("ask", "First?");
  const { code, err } = await here.run("resume", "--yes", "Change it.");
  expect([code, content(here.world, "a.ts")]).toEqual([0, files["a.ts"]]);
  expect(err).toContain('There is no tool "edit_file"');
  const elsewhere = await here.run("sessions", "-C", here.world.home);
  expect(elsewhere.code).toBe(2);
  const other = makeWorld();
  const env = { XDG_STATE_HOME: join(here.world.home, ".local/state") };
  expect((await croft(other, ["sessions"], { env })).err).toBe("There is no session here yet.\n");
  expect((await croft(other, ["sessions", "--all"], { env })).out).toContain(here.world.project);
});

test("a session is exported as Markdown, to stdout or a file, which it replaces whole", async () => {
  const here = await place([read("a.ts"), edit("a.ts", "1", "2"), say("It is **2** now:\n```ts\nconst a = 2;")]);
  await here.run("run", "--yes", "Make it 2.");
  const { code, out } = await here.run("export");
  expect([code, out.split("\n\n").slice(0, 1)]).toEqual([0, ["# Make it 2."]]);
  expect(out).toContain(
    "```diff\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-export const a = 1;\n+export const a = 2;\n```\n",
  );
  expect(out).toContain("> It is **2** now:\n> ```ts\n> const a = 2;\n");
  const file = join(here.world.base, "s.md");
  writeFileSync(file, "old");
  const [session] = await listed(here);
  const kept = await here.run("export", String(session?.["id"]), "--out", file);
  expect([kept.code, kept.out, kept.err, readFileSync(file, "utf8")]).toEqual([0, "", `${file}\n`, out]);
  const nowhere = join(here.world.base, "no/s.md");
  const missing = await here.run("export", "--out", nowhere);
  expect([missing.code, missing.err]).toEqual([
    2,
    `croft: The transcript cannot be written: ENOENT: no such file or directory, open '${nowhere}'. Name another file. (E_EXPORT)\n`,
  ]);
  expect(readdirSync(here.world.base).sort()).toEqual(["home", "project", "s.md"]);
});

test("a secret in what a session was begun with is not listed", async () => {
  const secret = `ghp_${"aB3dE5gH7j".repeat(4).slice(0, 36)}`;
  const here = await place([say("Kept.")]);
  await here.run("ask", `Keep ${secret}`);
  for (const args of [["sessions"], ["sessions", "--json"], ["sessions", "prune", "--days", "1", "--dry-run"]]) {
    const { out, err } = await here.run(...args);
    expect(out + err).not.toContain(secret);
  }
  expect((await here.run("sessions")).out).toContain("Keep [secret:github-token]");
});

test("sessions are removed by name, all or none found, and never under a croft at work", async () => {
  const here = await place([say("One."), say("Two.")]);
  await here.run("ask", "First?");
  await here.run("ask", "Second?");
  const [second, first] = (await listed(here)).map(({ id }) => String(id));
  const wrong = await here.run("sessions", "rm", String(first), "20261130T170024Z-3f9a1c");
  expect([wrong.code, (await listed(here)).length]).toEqual([2, 2]);
  const lock = lockSession(join(traces(here.world), `${second}.jsonl`));
  const busy = await here.run("sessions", "rm", String(second));
  lock[Symbol.dispose]();
  expect([busy.code, busy.err]).toEqual([1, expect.stringContaining("E_SESSION_BUSY")]);
  const { code, out } = await here.run("sessions", "rm", String(first));
  expect([code, out, (await listed(here)).map(({ id }) => id)]).toEqual([0, `${first}\n`, [second]]);
  expect(readdirSync(traces(here.world))).toEqual([`${second}.jsonl`]);
});

test("old sessions are pruned, and the copies of projects without any; what is new, or has a session, stays", async () => {
  const here = await place([read("a.ts"), edit("a.ts", "1", "2"), say("Done."), say("New.")]);
  const { world, run } = here;
  await run("run", "--yes", "Old.");
  const state = join(world.home, ".local/state/croft");
  const [copies = ""] = readdirSync(join(state, "undo"));
  const gone = "0".repeat(32);
  for (const kind of ["undo", "outputs", "quarantine"]) mkdirSync(join(state, kind, gone), { recursive: true });
  writeFileSync(join(state, "outputs", gone, "output-1.txt"), "x".repeat(2_000_000));
  const kept = (): string[][] =>
    ["traces", "undo", "outputs", "quarantine"].map((kind) => readdirSync(join(state, kind)));
  const all = kept();
  expect((await run("sessions", "prune")).err).toBe(
    "Removed: 0 sessions, 0 folders of projects, 0.0 MB. Older than 90 days.\n",
  );
  expect(kept()).toEqual(all);

  age(state, 100);
  const dry = await run("sessions", "prune", "--dry-run", "--json");
  expect(JSON.parse(dry.out)).toMatchObject({ type: "prune", days: 90, dry: true, sessions: 1, stores: 4 });
  expect(kept()).toEqual(all);
  expect((await run("sessions", "prune", "--days", "101")).code).toBe(0);
  expect(kept()).toEqual(all);

  // A new session in the old project keeps what undo has of it.
  await run("ask", "New?");
  const one = await run("sessions", "prune");
  expect(one.err).toMatch(/^Removed: 1 session, 2 folders of projects, 2\.\d MB\. Older than 90 days\.\n$/);
  expect(one.out).toContain(`Old.  ${world.project}\n`);
  expect(kept().slice(1)).toEqual([[copies], [copies], [gone]]);
  expect((await listed(here)).map(({ task }) => task)).toEqual(["New?"]);

  age(state, 100);
  await run("sessions", "prune");
  expect(kept()).toEqual([[], [], [], [gone]]);
});

/** Makes all of a folder seem so many days old. */
function age(folder: string, days: number): void {
  const at = Date.now() / 1_000 - days * 86_400;
  for (const name of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })])
    utimesSync(join(folder, name), at, at);
}

test("what is no regular file among the sessions is said to be none, and not waited for", async () => {
  const { world, run } = await place([]);
  mkdirSync(traces(world), { recursive: true });
  execFileSync("mkfifo", [join(traces(world), "20260101T000000Z-abcdef.jsonl")]);
  symlinkSync("/dev/zero", join(traces(world), "20260101T000000Z-fedcba.jsonl"));
  symlinkSync("20260101T000000Z-ccccee.jsonl", join(traces(world), "20260101T000000Z-ccccee.jsonl"));
  expect(await run("sessions")).toMatchObject({ code: 0, out: "" });
  for (const id of ["abcdef", "20260101T000000Z-abcdef", "fedcba", "20260101T000000Z-fedcba", "ccccee"]) {
    for (const args of [
      ["resume", id, "Go on."],
      ["fork", id],
      ["export", id],
      ["trace", id],
      ["replay", id],
    ]) {
      const { code, err } = await run(...args);
      expect([code, err]).toEqual([2, expect.stringMatching(/is no file\. See croft sessions.*E_NO_SESSION/)]);
    }
  }
});
