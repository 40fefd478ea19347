import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Event } from "../event.ts";
import { codeGate } from "../gate/code.ts";
import { anthropic } from "../model/anthropic.ts";
import { seal } from "../seal.ts";
import { openLog } from "../session/log.ts";
import { readPast } from "../session/past.ts";
import { readTrace } from "../session/trace.ts";
import { startMessagesServer } from "../testing/messages-server/messages-server.ts";
import type { MessagesRequest } from "../testing/messages-server/request.ts";
import { call, say, think, type ServerScript } from "../testing/messages-server/script.ts";
import { plantTree } from "../workspace/tree.testing.ts";
import { openAsk } from "./ask.ts";
import { openCode } from "./code.ts";
import { replay } from "./replay.ts";

const never = new AbortController().signal;

type Place = {
  root: string;
  file: string;
  /** One turn by a croft of its own, which goes on from the log, with a service that remembers nothing. */
  turn: (
    kind: "ask" | "code",
    script: ServerScript,
    dollars?: number,
  ) => Promise<{ sent: MessagesRequest[]; events: Event[] }>;
};

function place(files: Readonly<Record<string, string>>): Place {
  const tree = plantTree(files);
  onTestFinished(tree.remove);
  const file = join(tree.root, "../outside/session.jsonl");
  let turns = 0;
  return {
    root: tree.root,
    file,
    async turn(kind, script, dollars) {
      const server = await startMessagesServer({ script });
      const past = turns === 0 ? undefined : await readPast(file);
      turns += 1;
      const session = openLog({ id: "test", file, earlier: past });
      const events: Event[] = [];
      const model = anthropic({ model: "claude-opus-5-5", apiKey: "test-key", baseUrl: server.url });
      const emit = (event: Event): void => void events.push(event);
      const budget = { dollars };
      const options = { root: tree.root, gate: codeGate({ yes: true }), model, session, past, budget, emit };
      const asking = kind === "ask" ? openAsk(options) : await openCode(options);
      try {
        await ("ask" in asking ? asking.ask : asking.run)(`Turn ${turns}.`, never);
      } finally {
        await asking.close();
        session.close();
        await server.close();
      }
      expect(server.rejections).toEqual([]);
      return { sent: server.requests.map(({ body }) => body), events };
    },
  };
}

function notices(events: readonly Event[]): string[] {
  return events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
}

const kinds = (request: MessagesRequest | undefined): string[] =>
  (request?.messages ?? []).map(({ content }) => content.map(({ type }) => type).join());

test("memory files stay as they were when a session began, and one that was told is not told again", async () => {
  const { root, turn } = place({ "AGENTS.md": "Tabs.", "src/AGENTS.md": "Short names.", "src/a.ts": "let a = 1;\n" });
  const reading = (id: string): ServerScript => [call("read_file", { path: "src/a.ts" }, id), say("Done.")];
  const first = await turn("ask", reading("t1"));
  const quiet = await turn("ask", reading("t2"));
  writeFileSync(join(root, "AGENTS.md"), "Spaces.");
  const second = await turn("ask", reading("t3"));
  const frames = [first, quiet, second].map(({ sent }) => sent.map(({ system, tools }) => ({ system, tools })));
  expect(new Set(frames.flat().map((frame) => JSON.stringify(frame))).size).toBe(1);
  const told = JSON.stringify(second.sent.at(-1)?.messages).split("Short names.").length - 1;
  expect(told).toBe(1);
  expect([notices(quiet.events), notices(second.events)]).toEqual([
    [expect.stringMatching(/^The session goes on after 1 turn, /)],
    [
      expect.stringMatching(/^The session goes on after 2 turns, /),
      "The system prompt (croft's own words, or memory files) has changed; this session goes on with its old one.",
    ],
  ]);
});

test("with other tools what the model thought is left out, for good, and all else is kept; a replay does the same", async () => {
  const { file, turn } = place({ "a.ts": "let a = 1;\n" });
  await turn("ask", [
    [think("Look."), call("read_file", { path: "a.ts" })],
    [think("So."), say("It is 1.")],
  ]);
  const changed = await turn("code", [say("Yes.")]);
  expect(kinds(changed.sent[0])).toEqual(["text", "tool_use", "tool_result", "text", "text"]);
  expect(notices(changed.events)[1]).toBe("The tools have changed since: what the model thought before is left out.");
  const again = await turn("code", [say("Still.")]);
  expect(kinds(again.sent[0])).toEqual(["text", "tool_use", "tool_result", "text", "text", "text", "text"]);
  expect(notices(again.events)).toHaveLength(1);
  expect(await replay(await readTrace(file), { emit: () => {} }, never)).toMatchObject({ same: true, turns: 3 });
});

test("files that changed, or are gone, are named until they are read again; what croft changed itself is known", async () => {
  const { root, turn } = place({
    "a.ts": "let a = 1;\n",
    "b.ts": "let b = 1;\n",
    "c.ts": "let c = 1;\n",
    "d.ts": "let d;\n",
  });
  await turn("code", [
    ["a.ts", "b.ts", "c.ts", "d.ts"].map((path) => call("read_file", { path })),
    call("edit_file", { path: "c.ts", old_string: "1", new_string: "2" }),
    say("Done."),
  ]);
  writeFileSync(join(root, "a.ts"), "let a = 2;\n");
  rmSync(join(root, "b.ts"));
  const edit = (path: string): ReturnType<typeof call> =>
    call("edit_file", { path, old_string: "2", new_string: "3" }, `edit_${path[0]}`);
  const { sent, events } = await turn("code", [[edit("a.ts"), edit("c.ts")], say("Done.")]);
  expect(events.filter(({ type }) => type === "attachment")).toEqual([
    expect.objectContaining({ preview: "a note on files that changed since they were read: a.ts, b.ts (gone)" }),
  ]);
  const results = events.flatMap((event) => (event.type === "tool_result" ? [event.ok] : []));
  expect([results, sent]).toEqual([[false, true], expect.any(Array)]);
  expect((await turn("code", [say("Done.")])).events.filter(({ type }) => type === "attachment")).toEqual([
    expect.objectContaining({ preview: "a note on files that changed since they were read: a.ts, b.ts (gone)" }),
  ]);
});

test("a long session goes on under a ceiling that its bytes would pass: what was counted of it counts, as long as it is the same", async () => {
  const { turn } = place({ "a.ts": "" });
  await turn("code", [say("A word and another. ".repeat(15_000))]);
  await turn("code", [say("Counted.")]);
  const statuses: unknown[] = [];
  for (const kind of ["code", "ask"] as const) {
    const { sent, events } = await turn(kind, [say("Once more.")], 1.2);
    statuses.push([sent.length, events.flatMap((event) => (event.type === "stop" ? [event.status, event.steps] : []))]);
  }
  expect(statuses).toEqual([
    [1, ["done", 1]],
    [0, ["dollar_budget", 0]], // with other tools it is another prompt
  ]);
});

test.each<[string, (log: string) => string]>([
  ["a count that was changed", (log) => log.replaceAll(/"usage":\{"input":\d+/g, '"usage":{"input":1')],
  ["words that were added", (log) => log.replace("Counted.", "Counted. ".repeat(20_000))],
  ["checksums that were taken off", (log) => log.replaceAll(/,"sum":"[^"]*"\}$/gm, "}")],
  ["a line that cannot be read", (log) => `${log}{"ms":1,"type":"compaction"\n`],
  ["a turn of another model that was cut off", (log) => `${log}${startOf(log, (start) => (start["model"] = "other"))}`],
  ["a turn with other tools that was cut off", (log) => `${log}${startOf(log, withoutTools)}`],
])("a log with %s bounds no prompt by what it says was counted", async (_, changed) => {
  const { file, turn } = place({ "a.ts": "" });
  await turn("code", [say("A word and another. ".repeat(15_000))]);
  await turn("code", [say("Counted.")]);
  expect((await readPast(file)).counted).toMatchObject({ messages: 3 });
  writeFileSync(file, changed(readFileSync(file, "utf8")));
  expect((await readPast(file)).counted).toBeUndefined();
  expect((await turn("code", [say("Once more.")], 1.2)).sent).toEqual([]);
});

/** Its first line as another turn would begin. */
function startOf(log: string, change: (start: Record<string, unknown>) => unknown): string {
  const { sum: _, ...start }: Record<string, unknown> = JSON.parse(log.slice(0, log.indexOf("\n")));
  change(start);
  return `${seal(JSON.stringify(start))}\n`;
}

function withoutTools(start: Record<string, unknown>): void {
  start["setup"] = Object.assign({}, start["setup"], { tools: [] });
}
