import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Event } from "@croft/harness";
import { expect, onTestFinished, test } from "vitest";
import { actionKinds, eventKinds, everyEvent, writeTrace } from "../../../../test/support/every-event.ts";
import { traceLines } from "./read.ts";
import type { Part, Row } from "./row.ts";
import { createRowFold } from "./rows.ts";
import { createTally } from "./tally.ts";
import type { Totals } from "./totals.ts";

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), "croft-rows-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "t.jsonl");
}

async function read(file: string): Promise<{ rows: Row[]; totals: Totals }> {
  const rows: Row[] = [];
  const fold = createRowFold((row) => rows.push(row));
  const tally = createTally();
  for await (const line of traceLines(file)) {
    fold.take(line);
    tally.take(line);
  }
  fold.end();
  return { rows, totals: tally.totals() };
}

async function rowsOf(events: readonly (readonly [number, Event])[]): Promise<Row[]> {
  const file = place();
  writeTrace(file, events);
  return (await read(file)).rows;
}

const told = ({ head }: Row): string => [head.kind, head.at, head.title, head.note, head.tone].join(" | ");

test("every kind of event and action happens in the run of this test", () => {
  const events = everyEvent.map(([, event]) => event);
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(Object.keys(eventKinds)));
  const actions = events.flatMap((event) => (event.type === "decision" ? [event.action.kind] : []));
  expect(new Set(actions)).toEqual(new Set(Object.keys(actionKinds)));
});

test("a run becomes rows in the order in which it happened", async () => {
  expect((await rowsOf(everyEvent)).map(told)).toEqual([
    "turn | 0 | Turn 1: Fix `sum`. … | anthropic/claude-opus-5-5 | ",
    "notice | 1 | Attached notes.md | 120 characters | ",
    "message | 2 | User | 24 characters | ",
    "notice | 1002 | The service is busy: asking again in 2 s. | retry | ",
    "step | 3002 | Step 1 | 3.0 s, 32,450 tokens, $0.0213 | ",
    "message | 3003 | Model | 66 characters | ",
    "step | 3013 | Step 1 within search | 1 ms, 32,450 tokens, $0.0030 | ",
    'call | 3004 | read_file path="src/sum.ts" | failed, 16 ms | bad',
    'call | 3004 | search pattern="sum\\\\(" path="." | 32 characters, 16 ms | ',
    'change | 3021 | edit_file path="src/sum.ts" old_string="a - b" new_string="a + b" | 26 characters, 5.0 s | ',
    "command | 8031 | $ npm test | exit 1, 1.0 s | bad",
    "notice | 9038 | And tell what it was. | said while the turn ran | ",
    "message | 9039 | User | 21 characters | ",
    "notice | 9040 | Left out from now on: image | the service refuses it | doubt",
    "step | 11040 | Notes on what was said: 2 messages gave way to it | 2.0 s, 32,450 tokens, $0.0100 | ",
    "step | 14040 | Step 2 | 3.0 s, 32,450 tokens, $0.0200, end turn | ",
    "message | 14041 | Model | 52 characters | ",
    "citations | 14050 | 1 of 4 citations verified |  | bad",
    "check | 14055 | Check citations failed | 14 ms | bad",
    "check | 15055 | Check verify passed | 1.0 s | good",
    "notice | 15056 | Cancelled |  | doubt",
    "turn | 15060 | Turn ended: cancelled | 2 steps, 32,450 tokens, $0.0513 | bad",
  ]);
});

test("a call has what was asked, decided and given; waiting for a person is time of its own", async () => {
  const rows = await rowsOf(everyEvent);
  const change = rows.find(({ head }) => head.kind === "change");
  expect(change?.head.spans).toEqual([
    { lane: "tools", at: 3_021, ms: 5_009 },
    { lane: "person", at: 3_021, ms: 5_000 },
  ]);
  expect(change?.body).toEqual([
    { as: "facts", facts: [["tool", "edit_file"]] },
    {
      as: "facts",
      facts: [
        ["path", "src/sum.ts"],
        ["old_string", "a - b"],
        ["new_string", "a + b"],
      ],
    },
    { as: "diff", label: "src/sum.ts", text: expect.stringContaining("-  return a - b;\n+  return a + b;\n") },
    { as: "facts", facts: [["change", "allowed by a person"]] },
    { as: "facts", facts: [["changed", "src/sum.ts (+1 -1)"]] },
    { as: "text", label: "what the model got", text: "Changed src/sum.ts (+1 -1)", folded: true },
  ]);
});

test("a refusal stands at the call that asked, though reads run together", async () => {
  const rows = await rowsOf(everyEvent);
  const refused = (row: Row | undefined): Part[] =>
    (row?.body ?? []).filter(
      (part) => part.as === "facts" && part.facts.some(([, value]) => value.includes("refused")),
    );
  const [read, search] = rows.filter(({ head }) => head.kind === "call");
  expect(refused(read)).toEqual([{ as: "facts", facts: [["read", "src/sum.ts: refused by a rule: not now"]] }]);
  expect(refused(search)).toEqual([]);
});

test("what an agent did within a call stands in that call", async () => {
  const search = (await rowsOf(everyEvent)).find(({ head }) => head.title.startsWith("search"));
  expect(search?.body.find((part) => part.as === "text")).toEqual({
    as: "text",
    label: "what the agent within it did",
    text: 'list_files path="."\n   ok: src/\nAsking again.',
  });
});

test("calls that croft was ended in are shown without a result, and time goes on in the next sitting", async () => {
  const [start, message] = [everyEvent[0], everyEvent[2]];
  if (start === undefined || message === undefined) throw new Error("The run has no beginning.");
  const call: Event = { type: "tool_call", id: "t1", name: "run_shell", input: { command: "sleep 9" } };
  const rows = await rowsOf([start, message, [500, call], [5, start[1]], [305, message[1]]]);
  expect(rows.map(told)).toEqual([
    "turn | 0 | Turn 1: Fix `sum`. … | anthropic/claude-opus-5-5 | ",
    "message | 2 | User | 24 characters | ",
    'call | 490 | run_shell command="sleep 9" | no result, 0 ms | doubt',
    "turn | 490 | Turn 2: Fix `sum`. … | anthropic/claude-opus-5-5 | ",
    "message | 790 | User | 24 characters | ",
  ]);
});

test("what is torn, foreign, altered or of another shape is told, and hides nothing", async () => {
  const file = place();
  writeTrace(file, everyEvent.slice(0, 3));
  const lines = [
    '{"ms":1,"type":"mess',
    '{"hello":"world"}',
    '{"ms":20,"type":"decision","action":{"kind":"write","changes":7},"verdict":{"allowed":true,"by":"rule"}}',
    '{"ms":21,"type":"hologram","of":"cat"}',
    '{"ms":22,"type":"step","step":1,"usage":{},"stop":"end_turn"}',
  ];
  writeFileSync(file, `${lines.join("\n")}\n`, { flag: "a" });
  const { rows, totals } = await read(file);
  expect(rows.slice(3).map(told)).toEqual([
    "damage | 2 | Line 4 cannot be read |  | bad",
    "damage | 2 | Line 5 cannot be read |  | bad",
    "damage | 10 | Line 6 cannot be read |  | bad",
    "damage | 11 | Line 7 was changed after it was written |  | bad",
    "notice | 11 | An event that only a newer croft knows |  | ",
    "damage | 11 | Line 8 cannot be read |  | bad",
  ]);
  expect(totals.damage).toEqual({
    unreadable: { count: 4, first: [4, 5, 6, 8] },
    altered: { count: 1, first: [7] },
  });
});

test("a run is added up", async () => {
  const file = place();
  writeTrace(file, everyEvent);
  const { totals } = await read(file);
  expect(totals).toEqual({
    session: "20261130T170024Z-3f9a1c",
    root: "/home/ada/sums",
    task: "Fix `sum`.\nIt subtracts.",
    models: ["anthropic/claude-opus-5-5"],
    turns: { count: 1, first: [{ task: "Fix `sum`.\nIt subtracts.", status: "cancelled", steps: 2 }] },
    steps: 2,
    tokens: { input: 4_800, cacheRead: 120_000, cacheWrite: 3_200, output: 1_800 },
    dollars: expect.closeTo(0.0543),
    time: { whole: 15_060, model: 8_001, tools: 1_029, checks: 1_014, person: 5_000 },
    tools: [
      { name: "read_file", calls: 1, failed: 1, ms: 16 },
      { name: "search", calls: 1, failed: 0, ms: 16 },
      { name: "edit_file", calls: 1, failed: 0, ms: 5_009 },
      { name: "run_command", calls: 1, failed: 1, ms: 1_004 },
    ],
    files: { count: 1, first: [{ path: "src/sum.ts", became: "changed", added: 1, removed: 1 }] },
    commands: { count: 1, first: [{ command: "npm test", outcome: "exit 1", failed: true, ms: 1_004 }] },
    checks: {
      count: 2,
      first: [
        { name: "citations", passed: false, says: "src/sum.ts:9 does not exist." },
        { name: "verify", passed: true, says: "`npm test` passed" },
      ],
    },
    citations: {
      states: { verified: 1, broken: 1, unseen: 1, mismatch: 1 },
      doubts: {
        count: 3,
        first: [
          { ref: "src/sum.ts:9", state: "broken", reason: "the file has only 3 lines" },
          { ref: "src/sum.ts:3", state: "unseen", reason: "" },
          { ref: "src/sum.ts:1", state: "mismatch", reason: "`add` does not stand there" },
        ],
      },
    },
    damage: { unreadable: { count: 0, first: [] }, altered: { count: 0, first: [] } },
  });
});
