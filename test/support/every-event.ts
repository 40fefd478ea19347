/** One run in which every kind of event happens, and every kind of action is decided about. */

import { openLog, type Action, type Event, type Usage } from "@croft/harness";

/** A new kind of event or action does not compile until it stands here, and is not found until it happens in the run. */
export const eventKinds: Readonly<Record<Event["type"], true>> = {
  start: true,
  steered: true,
  explored: true,
  attachment: true,
  delta: true,
  message: true,
  step: true,
  compaction: true,
  tool_call: true,
  decision: true,
  output: true,
  tool_result: true,
  lines: true,
  rejected: true,
  interrupted: true,
  check: true,
  citation: true,
  notice: true,
  stop: true,
};
export const actionKinds: Readonly<Record<Action["kind"], true>> = {
  read: true,
  list: true,
  search: true,
  write: true,
  run: true,
};

const origin = { provider: "anthropic", model: "claude-opus-5-5" };
const usage: Usage = { input: 1_200, cacheRead: 30_000, cacheWrite: 800, output: 450 };
const allowed = { allowed: true, by: "rule" } as const;
const verdict = { decision: "allow", rule: "project files" } as const;
const hash = "ab".repeat(32);

const setup: Extract<Event, { type: "start" }>["setup"] = {
  budget: { steps: 50, tokens: 5_000_000, ms: 3_600_000 },
  maxTokens: 64_000,
  system: [{ type: "text", text: "You are croft." }],
  tools: [{ name: "edit_file", description: "Changes a file.", schema: { type: "object" } }],
};

const diff =
  "--- a/src/sum.ts\n+++ b/src/sum.ts\n@@ -1,3 +1,3 @@\n export function sum(a, b) {\n-  return a - b;\n+  return a + b;\n }\n";

/** A pixel. */
const base64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** As they happen: the time of each in milliseconds. */
export const everyEvent: readonly (readonly [ms: number, event: Event])[] = [
  [
    10,
    {
      type: "start",
      session: "20261130T170024Z-3f9a1c",
      root: "/home/ada/sums",
      model: "anthropic/claude-opus-5-5",
      task: "Fix `sum`.\nIt subtracts.",
      setup,
    },
  ],
  [11, { type: "attachment", name: "notes.md", ok: true, chars: 120, preview: "notes.md: lines 1-3 of 3" }],
  [
    12,
    {
      type: "message",
      message: {
        role: "user",
        content: [
          { type: "text", text: "Fix `sum`.\nIt subtracts." },
          { type: "image", mediaType: "image/png", base64 },
        ],
      },
    },
  ],
  [400, { type: "delta", delta: { type: "text", text: "I look" } }],
  [1_012, { type: "notice", code: "retry", text: "The service is busy: asking again in 2 s." }],
  [3_012, { type: "step", step: 1, usage, dollars: 0.0213, stop: "tool_use" }],
  [
    3_013,
    {
      type: "message",
      message: {
        role: "assistant",
        content: [
          { type: "opaque", raw: { type: "thinking", thinking: "It must be the minus.", signature: "c2ln" } },
          { type: "text", text: "I **look** at `src/sum.ts` and run the tests." },
          { type: "tool_use", id: "t1", name: "read_file", input: { path: "src/sum.ts" } },
          { type: "tool_use", id: "t2", name: "search", input: { pattern: "sum\\(", path: "." } },
          {
            type: "tool_use",
            id: "t3",
            name: "edit_file",
            input: { path: "src/sum.ts", old_string: "a - b", new_string: "a + b" },
          },
          { type: "tool_use", id: "t4", name: "run_command", input: { argv: ["npm", "test"] } },
        ],
        origin,
      },
    },
  ],
  [3_014, { type: "tool_call", id: "t1", name: "read_file", input: { path: "src/sum.ts" } }],
  [3_014, { type: "tool_call", id: "t2", name: "search", input: { pattern: "sum\\(", path: "." } }],
  [
    3_020,
    {
      type: "decision",
      action: { kind: "search", pattern: "sum\\(", asked: ".", path: ".", verdict },
      verdict: allowed,
    },
  ],
  [3_021, { type: "decision", action: { kind: "list", asked: ".", path: ".", verdict }, verdict: allowed }],
  [
    3_022,
    {
      type: "decision",
      action: { kind: "read", asked: "src/sum.ts", path: "src/sum.ts", verdict },
      verdict: { allowed: false, by: "rule", note: "not now" },
    },
  ],
  [3_023, { type: "explored", id: "t2", event: { type: "step", step: 1, usage, dollars: 0.003, stop: "tool_use" } }],
  [
    3_024,
    { type: "explored", id: "t2", event: { type: "tool_call", id: "i1", name: "list_files", input: { path: "." } } },
  ],
  [
    3_025,
    {
      type: "explored",
      id: "t2",
      event: { type: "tool_result", id: "i1", name: "list_files", ok: true, chars: 4, preview: "src/" },
    },
  ],
  [3_026, { type: "explored", id: "t2", event: { type: "notice", code: "retry", text: "Asking again." } }],
  [3_030, { type: "tool_result", id: "t1", name: "read_file", ok: false, chars: 7, preview: "not now" }],
  [
    3_030,
    {
      type: "tool_result",
      id: "t2",
      name: "search",
      ok: true,
      chars: 32,
      preview: "src/sum.ts:1: export function sum",
      shown: [{ path: "src/sum.ts", hash, from: 1, to: 1, via: "search" }],
    },
  ],
  [
    3_031,
    {
      type: "tool_call",
      id: "t3",
      name: "edit_file",
      input: { path: "src/sum.ts", old_string: "a - b", new_string: "a + b" },
    },
  ],
  [
    8_031,
    {
      type: "decision",
      action: {
        kind: "write",
        changes: [{ asked: "src/sum.ts", path: "src/sum.ts", verdict, change: "update", diff }],
      },
      verdict: { allowed: true, by: "person" },
    },
  ],
  [
    8_040,
    {
      type: "tool_result",
      id: "t3",
      name: "edit_file",
      ok: true,
      chars: 26,
      preview: "Changed src/sum.ts (+1 -1)",
      landed: [
        {
          path: "src/sum.ts",
          before: hash,
          after: hash.replace("a", "b"),
          hunks: [{ from: 2, removed: 1, to: 2, added: 1 }],
        },
      ],
    },
  ],
  [8_041, { type: "tool_call", id: "t4", name: "run_command", input: { argv: ["npm", "test"] } }],
  [
    8_045,
    {
      type: "decision",
      action: {
        kind: "run",
        command: ["npm", "test"],
        cwd: ".",
        verdict: { decision: "allow", rule: "`npm test`", profile: "plain" },
        enclosed: true,
        hosts: [],
        programs: [],
      },
      verdict: allowed,
    },
  ],
  [8_100, { type: "output", id: "t4", text: "> test\n" }],
  [
    9_045,
    {
      type: "tool_result",
      id: "t4",
      name: "run_command",
      ok: true,
      chars: 21,
      preview: "exit code 1",
      details: { code: 1, signal: null, timedOut: false, left: 0, notices: [] },
    },
  ],
  [
    9_046,
    {
      type: "message",
      message: {
        role: "user",
        content: [
          { type: "tool_result", toolUseId: "t1", content: [{ type: "text", text: "not now" }], isError: true },
          {
            type: "tool_result",
            toolUseId: "t2",
            content: [{ type: "text", text: "src/sum.ts:1: export function sum" }],
            isError: false,
          },
          {
            type: "tool_result",
            toolUseId: "t3",
            content: [{ type: "text", text: "Changed src/sum.ts (+1 -1)" }],
            isError: false,
          },
          {
            type: "tool_result",
            toolUseId: "t4",
            content: [{ type: "text", text: "exit code 1\n\n1 failing" }],
            isError: false,
          },
        ],
      },
    },
  ],
  [9_048, { type: "steered", text: "And tell what it was." }],
  [9_049, { type: "message", message: { role: "user", content: [{ type: "text", text: "And tell what it was." }] } }],
  [9_050, { type: "rejected", block: "m2b1", what: "image", reason: "Could not process image" }],
  [
    11_050,
    {
      type: "compaction",
      notes: "# So far\n- `sum` is fixed",
      usage,
      dollars: 0.01,
      stop: "end_turn",
      replaced: { upTo: 2, by: { role: "user", content: [{ type: "text", text: "So far…" }] } },
    },
  ],
  [14_050, { type: "step", step: 2, usage, dollars: 0.02, stop: "end_turn" }],
  [
    14_051,
    {
      type: "message",
      message: {
        role: "assistant",
        content: [{ type: "text", text: "`sum` adds now: src/sum.ts:2, see also src/sum.ts:9." }],
        origin,
      },
    },
  ],
  [
    14_060,
    {
      type: "lines",
      path: "src/sum.ts",
      from: 1,
      to: 5,
      found: { path: "src/sum.ts", lines: ["export function sum(a, b) {", "  return a + b;", "}"], total: 3 },
    },
  ],
  [14_061, { type: "citation", ref: "src/sum.ts:2", state: "verified" }],
  [14_062, { type: "citation", ref: "src/sum.ts:9", state: "broken", reason: "the file has only 3 lines" }],
  [14_063, { type: "citation", ref: "src/sum.ts:3", state: "unseen" }],
  [14_064, { type: "citation", ref: "src/sum.ts:1", state: "mismatch", reason: "`add` does not stand there" }],
  [14_065, { type: "check", name: "citations", result: { pass: false, report: "src/sum.ts:9 does not exist." } }],
  [15_065, { type: "check", name: "verify", result: { pass: true, note: "`npm test` passed" } }],
  [15_066, { type: "interrupted", by: "cancelled" }],
  [
    15_070,
    {
      type: "stop",
      status: "cancelled",
      steps: 2,
      usage,
      dollars: 0.0513,
      answer: "`sum` adds now: src/sum.ts:2, see also src/sum.ts:9.",
    },
  ],
];

/** Writes a trace as a run does. What a log never keeps it leaves out. */
export function writeTrace(file: string, events: readonly (readonly [ms: number, event: Event])[]): void {
  let now = 0;
  const log = openLog({ id: "20261130T170024Z-3f9a1c", file, now: () => now });
  for (const [ms, event] of events) {
    now = ms;
    log.append(event);
  }
  log.close();
}
