import fc from "fast-check";
import { expect, test } from "vitest";
import type { Event } from "@croft/harness";
import { see, status, text } from "./screen.testing.ts";

/** Every sequence that croft writes: looks, moves, erasing, wrapping, the cursor, frames, modes. */
const ours =
  /\u001b\[[0-9;]*m|\u001b\[\d+[ABC]|\u001b\[[JKH]|\u001b\[\?(?:7|25|2004|2026|1000|1002|1003|1006)[hl]|\u001b\[>1u|\u001b\[<u|\u001b\[>4;[01]m/g;

const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "\u001b[2J",
    "\u001b]0;owned\u0007",
    "\u001b]8;;http://evil\u0007",
    "\u009b31m",
    "\u001bP+q\u001b\\",
    "\u001b[?1049h",
    "\u001b]52;c;ZXZpbA==\u0007",
    "\r",
    "\u0008",
    "\u202e",
    "\u200b",
    "\u001b",
    "[31m",
    "`",
    "```\n",
    "**",
    "|",
    "\n",
  ),
);
const salad = fc.array(hostile, { maxLength: 6 }).map((parts) => parts.join(""));

function events(words: readonly string[]): Event[] {
  const [a = "", b = "", c = "", d = "", e = "", f = ""] = words;
  const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 };
  const change = {
    asked: a,
    path: b,
    verdict: { decision: "ask", rule: c } as const,
    change: "update" as const,
    diff: `@@ -1 +1 @@\n-${d}\n+${e}\n`,
  };
  const origin = { provider: a, model: b };
  return [
    { type: "start", session: a, root: b, model: c, task: d },
    { type: "attachment", name: a, ok: false, chars: 1, preview: b },
    { type: "steered", text: c },
    { type: "delta", delta: { type: "progress", text: a } },
    { type: "delta", delta: { type: "notice", code: a, text: b } },
    { type: "delta", delta: { type: "tool_input", id: "1", name: a, chars: 4 } },
    ...Array.from(e, (unit) => text(unit)),
    text(`[${a}](http://x/${b})\n\n\`\`\`ts\n${c}\n\`\`\`\n\n| ${d} |\n|---|\n| ${e} |\n\n`),
    {
      type: "message",
      message: { role: "assistant", content: [{ type: "tool_use", id: "1", name: a, input: { [b]: c } }], origin },
    },
    { type: "tool_call", id: "1", name: a, input: { [b]: c, d: [e, f] } },
    { type: "output", id: "1", text: d },
    { type: "explored", id: "1", event: { type: "tool_call", id: "2", name: e, input: f } },
    { type: "decision", action: { kind: "write", changes: [change] }, verdict: { allowed: true, by: "rule" } },
    {
      type: "tool_result",
      id: "1",
      name: a,
      ok: false,
      chars: 1,
      preview: b,
      details: { timedOut: false, code: 1, notices: [c] },
    },
    {
      type: "tool_result",
      id: "3",
      name: a,
      ok: true,
      chars: 1,
      preview: b,
      landed: [{ path: c, before: null, after: "x", hunks: [] }],
    },
    {
      type: "tool_result",
      id: "4",
      name: a,
      ok: true,
      chars: 1,
      preview: b,
      details: { todos: [{ text: c, state: "doing" }] },
    },
    {
      type: "message",
      message: {
        role: "user",
        content: [{ type: "tool_result", toolUseId: "1", content: [{ type: "text", text: f }], isError: false }],
      },
    },
    { type: "check", name: a, result: { pass: false, report: b } },
    { type: "citation", ref: c, state: "broken", reason: d },
    { type: "rejected", block: a, what: b, reason: c },
    { type: "notice", code: a, text: b },
    {
      type: "stop",
      status: "error",
      steps: 1,
      usage,
      dollars: 1,
      answer: a,
      failure: { code: b, message: c, remedy: d },
    },
  ];
}

test("whatever is in an event, a question or a list: the terminal gets no sequence that is not croft's", async () => {
  const words = fc.array(salad, { minLength: 6, maxLength: 6 });
  const property = fc.asyncProperty(words, fc.integer({ min: 20, max: 100 }), async (words, columns) => {
    const [a = "", b = "", c = ""] = words;
    const t = see({ columns, colour: true, person: { history: () => words } });
    const controller = new AbortController();
    t.screen.setStatus({ ...status, model: a, working: true, queued: [b] });
    for (const event of events(words)) t.screen.show(event);
    t.screen.tell(c);
    t.screen.draft(a);
    await t.type("\u000f", "\u0012x");
    const run = { command: a, cwd: b, enclosed: false, outside: c, hosts: [a], programs: [{ path: b, hash: c }] };
    const verdict = { decision: "ask", rule: c, profile: "plain" } as const;
    void t.screen.ask({ kind: "run", verdict, ...run }, controller.signal).catch(() => undefined);
    await t.shown();
    void t.screen
      .choose({ title: a, items: [{ value: b, label: b, note: c }] }, controller.signal)
      .catch(() => undefined);
    await t.shown();
    controller.abort();
    await t.shown();
    t.screen.close();
    const rest = t.bytes().replaceAll(ours, "").replaceAll("\r\n", "").replaceAll("\r", "");
    expect(rest).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b]/u);
  });
  await fc.assert(property, { numRuns: 40 });
});

test("a carriage return of others never reaches the terminal", async () => {
  const t = see();
  t.screen.show(text("safe\rEVIL\n\n"));
  t.screen.show({ type: "notice", code: "x", text: "a\rb" });
  expect(await t.all()).toContain("a\\rb");
  expect(t.bytes()).not.toMatch(/safe\r/);
});
