import { expect, test } from "vitest";
import type { Event, Inner } from "@croft/harness";
import type { Output } from "./output.ts";
import { paintFor } from "./paint.ts";
import { plain } from "./plain.ts";

const usage = { input: 1000, cacheRead: 200, cacheWrite: 30, output: 4 };
const origin = { provider: "p", model: "m" };

function shown(events: readonly Event[], colour = false): { out: string; err: string } {
  const text = { out: "", err: "" };
  const to = (name: "out" | "err"): Output => ({
    write: (more) => {
      text[name] += more;
    },
    flushed: async () => undefined,
    broken: () => undefined,
  });
  const show = plain(to("out"), to("err"), paintFor(colour));
  for (const event of events) show(event);
  return text;
}

const stop = { type: "stop", status: "done", steps: 2, usage, dollars: 0.0123, answer: "It is at a.ts:1." } as const;

test("a run is progress, doubts and totals on stderr and the answer alone on stdout", () => {
  const events: Event[] = [
    { type: "start", session: "s", root: "/p", model: "anthropic/m", task: "where?", trace: "/t/s.jsonl" },
    { type: "delta", delta: { type: "progress", text: "Looking for the na" } },
    { type: "delta", delta: { type: "progress", text: "me.\n" } },
    { type: "delta", delta: { type: "text", text: "I will search." } },
    {
      type: "message",
      message: {
        role: "assistant",
        origin,
        content: [
          { type: "text", text: "I will search." },
          { type: "tool_use", id: "1", name: "search", input: { pattern: "a" } },
        ],
      },
    },
    { type: "step", step: 1, usage, dollars: 0.01, stop: "tool_use" },
    { type: "tool_call", id: "1", name: "search", input: { pattern: "a" } },
    { type: "tool_result", id: "1", name: "search", ok: true, chars: 42, preview: "a.ts:1: a" },
    { type: "tool_call", id: "2", name: "read_file", input: { path: ".env" } },
    { type: "tool_result", id: "2", name: "read_file", ok: false, chars: 20, preview: "No." },
    { type: "notice", code: "N", text: "Retrying in 1 s." },
    { type: "step", step: 2, usage, dollars: 0.0123, stop: "end_turn" },
    { type: "message", message: { role: "assistant", origin, content: [{ type: "text", text: "It is at a.ts:1." }] } },
    { type: "citation", ref: "a.ts:1", state: "verified" },
    { type: "citation", ref: "b.ts:9", state: "broken", reason: "it has 3 lines" },
    { type: "citation", ref: "c.ts:2", state: "unseen" },
    stop,
  ];
  expect(shown(events)).toEqual({
    out: "It is at a.ts:1.\n",
    err: [
      "anthropic/m in /p",
      "Looking for the name.",
      "I will search.",
      '-> search({"pattern":"a"})',
      "   ok a.ts:1: a (42 chars)",
      '-> read_file({"path":".env"})',
      "   ERROR No.",
      "Retrying in 1 s.",
      "BROKEN b.ts:9: it has 3 lines",
      "unseen c.ts:2",
      "1 of 3 citations verified",
      "done: 2 steps, 1,234 tokens (input 1,000, cache read 200, cache write 30, output 4), $0.0123, trace /t/s.jsonl",
      "",
    ].join("\n"),
  });
});

test("what an agent inside a call does stands below it, and the list of work is a checklist", () => {
  const inside = (event: Inner): Event => ({ type: "explored", id: "1", event });
  const todos = [
    { text: "Find it", state: "done" },
    { text: "Change\u001b[2J it", state: "doing" },
    { text: "Test it", state: "pending" },
  ];
  const { err } = shown([
    { type: "tool_call", id: "1", name: "explore", input: { question: "Where?" } },
    inside({ type: "step", step: 1, usage, dollars: 0.01, stop: "tool_use" }),
    inside({ type: "tool_call", id: "x", name: "search", input: { pattern: "a" } }),
    inside({ type: "tool_result", id: "x", name: "search", ok: true, chars: 42, preview: "a.ts:1: a" }),
    inside({ type: "tool_result", id: "y", name: "search", ok: false, chars: 42, preview: "No." }),
    inside({ type: "notice", code: "retry", text: "Trying again in 1 s." }),
    inside({ type: "compaction", notes: "", usage, dollars: 0, stop: "end_turn" }),
    { type: "tool_result", id: "1", name: "explore", ok: true, chars: 9, preview: "Answered in 1 step." },
    { type: "tool_call", id: "2", name: "todo", input: {} },
    { type: "tool_result", id: "2", name: "todo", ok: true, chars: 9, preview: "1 of 3 done.", details: { todos } },
  ]);
  expect(err.split("\n")).toEqual([
    '-> explore({"question":"Where?"})',
    '   -> search({"pattern":"a"})',
    "      ok a.ts:1: a",
    "      ERROR No.",
    "   Trying again in 1 s.",
    "   ok Answered in 1 step. (9 chars)",
    "-> todo({})",
    "   [x] Find it",
    String.raw`   [>] Change\x1b[2J it`,
    "   [ ] Test it",
    "",
  ]);
});

test("the citations of an answer that was corrected are forgotten", () => {
  const { err } = shown([
    { type: "step", step: 1, usage, dollars: 0, stop: "end_turn" },
    { type: "citation", ref: "a.ts:99", state: "broken", reason: "it has 3 lines" },
    { type: "check", name: "citations", result: { pass: false, report: "a.ts:99 does not exist.\nMore." } },
    { type: "step", step: 2, usage, dollars: 0, stop: "end_turn" },
    { type: "citation", ref: "a.ts:1", state: "verified" },
    stop,
  ]);
  expect(err).toBe(
    "   check citations failed: a.ts:99 does not exist.… (6 more characters)\n" +
      "1 of 1 citation verified\n" +
      "done: 2 steps, 1,234 tokens (input 1,000, cache read 200, cache write 30, output 4), $0.0123, no trace\n",
  );
});

test("a run that failed tells why and the next step, and its partial answer is kept", () => {
  const failure = { code: "E_AUTH", message: "The key was refused.", remedy: "Check ANTHROPIC_API_KEY." };
  expect(shown([{ ...stop, status: "error", answer: "So far", dollars: undefined, failure }])).toEqual({
    out: "So far\n",
    err:
      "croft: The key was refused. Check ANTHROPIC_API_KEY. (E_AUTH)\n" +
      "error: 2 steps, 1,234 tokens (input 1,000, cache read 200, cache write 30, output 4), cost unknown, no trace\n",
  });
});

test("a run stopped by a limit tells which flag allows more", () => {
  expect(shown([{ ...stop, status: "max_turns", answer: "" }])).toEqual({
    out: "",
    err:
      "croft: The limit of steps was reached before an answer. Allow more with --max-turns, or ask something narrower.\n" +
      "max_turns: 2 steps, 1,234 tokens (input 1,000, cache read 200, cache write 30, output 4), $0.0123, no trace\n",
  });
});

test("nothing untrusted reaches the terminal unescaped, and what was cut is counted", () => {
  const evil = "\u001b[2J\u202e";
  const { out, err } = shown([
    { type: "tool_call", id: "1", name: evil, input: { path: `x\n${evil}`, text: "y".repeat(400) } },
    { type: "tool_result", id: "1", name: evil, ok: true, chars: 1, preview: `${evil}\nsecond line` },
    { type: "citation", ref: evil, state: "mismatch", reason: evil },
    { type: "notice", code: "N", text: `${evil}\nfaked: done` },
    { ...stop, status: "error", answer: `# ${evil}\n\tcode`, failure: { code: "E", message: evil } },
  ]);
  expect(out).toBe("# \\x1b[2J\\u{202e}\n\tcode\n");
  expect(err.split("\n").filter((line) => /[^\x20-\x7e…]/.test(line))).toEqual([]);
  expect(err).toMatch(/^-> .*y… \(\d+ more characters\)$/m);
  expect(err).toMatch(/^ {3}ok \\x1b\[2J\\u\{202e\}… \(12 more characters\) \(1 chars\)$/m);
  expect(err.split("\n")).toHaveLength(8);
});

test("colour is painted around the escaped text", () => {
  expect(
    shown([{ type: "tool_result", id: "1", name: "a", ok: false, chars: 1, preview: "\u001b[32mfine" }], true).err,
  ).toBe("\u001b[31m   ERROR \\x1b[32mfine\u001b[39m\n");
});

const run: Event = {
  type: "decision",
  verdict: { allowed: true, by: "rule" },
  action: {
    kind: "run",
    command: ["x"],
    cwd: ".",
    verdict: { decision: "allow", rule: "test", profile: "plain" },
    enclosed: true,
    hosts: [],
    programs: [],
  },
};
const piece = (text: string): Event => ({ type: "output", id: "1", text });

function ended(details: object, preview = "exit code 0"): Event {
  return { type: "tool_result", id: "1", name: "run_command", ok: true, chars: 9, preview, details };
}

const end = { code: 0, signal: null, timedOut: false, left: 0, bytes: 9, file: undefined, notices: [] };

test("what a command prints is shown as it comes, in whole lines, safe to look at; then how it ended", () => {
  const { out, err } = shown([run, piece("one\ntw"), piece("o\n\u001b[2Jthree"), ended(end)]);
  expect([out, err.replace(/\d\.\d s/, "n s")]).toEqual(["", "   one\n   two\n   \\x1b[2Jthree\n   exit 0 in n s\n"]);
});

test("a command that ran out of time is told with its limit alone", () => {
  const { err } = shown([run, ended({ ...end, timedOut: true }, "timed out after 2 s; process tree killed")]);
  expect(err).toBe("   timed out after 2 s; process tree killed\n");
});

test("of a long output start and end are shown, and long lines are cut", () => {
  const { err } = shown([piece(Array.from({ length: 100 }, (_, n) => `${n}\n`).join("")), ended(end)]);
  const numbers = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, n) => `   ${from + n}`);
  expect(err.split("\n")).toEqual([...numbers(0, 20), "   … (70 more lines)", ...numbers(90, 100), "   exit 0", ""]);
  expect(shown([piece("x\n".repeat(31)), ended(end)]).err).toContain("   … (1 more line)\n");
  expect(shown([piece(`${"x".repeat(500)}\n`)]).err).toBe(`   ${"x".repeat(300)}… (+200 more characters)\n`);
});

test.each([
  [{ ...end, code: 3 }, "exit code 3", "   exit 3\n"],
  [{ ...end, code: null, signal: "SIGABRT" }, "ended by signal SIGABRT", "   ended by signal SIGABRT\n"],
  [{ ...end, timedOut: true, code: 143 }, "timed out after 1 s; …", "   timed out after 1 s; …\n"],
  [{ ...end, left: 2, notices: ["a \u001b"] }, "", "   exit 0\n   left running, and ended: 2\n   a \\x1b\n"],
  [{ timedOut: "x", code: {}, notices: 7 }, "from\u001b a strange trace", "   from\\x1b a strange trace\n"],
])("an end is told: %o", (details, preview, told) => {
  expect(shown([ended(details, preview)]).err).toBe(told);
});

test("compaction is told in a line, with what it cost", () => {
  const by = { role: "user", content: [{ type: "text", text: "Do it." }] } as const;
  const asked = { type: "compaction", notes: "Open: all.", usage, dollars: 0.01, stop: "end_turn" } as const;
  const replaced = { upTo: 12, by: { ...by, content: [...by.content] } };
  expect(
    shown([
      { ...asked, replaced },
      { ...asked, notes: "", stop: "context_full" },
    ]).err,
  ).toBe(
    [
      "the conversation is long: 12 messages gave way to the model's notes (1,234 tokens)",
      "the conversation is long: notes were asked for, and there are none (1,234 tokens)",
      "",
    ].join("\n"),
  );
});
