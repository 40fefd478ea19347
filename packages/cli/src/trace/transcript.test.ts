import type { Event } from "@croft/harness";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Marked } from "@earendil-works/pi-tui";
import { createTranscript } from "./transcript.ts";

const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 };
const origin = { provider: "p", model: "m" };
const said = (text: string): Event => ({
  type: "message",
  message: { role: "user", content: [{ type: "text", text }] },
});
const answered = (text: string): Event => ({
  type: "message",
  message: { role: "assistant", content: [{ type: "text", text }], origin },
});
const start = (task: string): Event => ({ type: "start", session: "s1", root: "/r", model: "p/m", task });
const stop: Event = { type: "stop", status: "done", steps: 2, usage, dollars: 0.01, answer: "Done." };

function transcriptOf(...events: readonly (Event | undefined)[]): string {
  const transcript = createTranscript();
  return events.map((event, at) => transcript({ line: at + 1, at: 0, event, altered: false })).join("");
}

test("a session is told turn by turn: words, calls, diffs, commands, refusals, failed checks, ends", () => {
  const input = { path: "a.ts" };
  const change = { asked: "a.ts", path: "a.ts", diff: "--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-one\n+```\n" };
  const run = {
    kind: "run" as const,
    command: ["rm", "a b"],
    cwd: ".",
    verdict: { decision: "ask" as const, rule: "rm", profile: "plain" as const, always: false },
    enclosed: true,
    hosts: [],
    programs: [],
  };
  const text = transcriptOf(
    start("Fix [it]\nnow"),
    said("Fix [it]\nnow"),
    answered("I read **it**."),
    { type: "tool_call", id: "1", name: "edit_file", input },
    { type: "decision", action: { kind: "write", changes: [change] }, verdict: { allowed: true, by: "person" } },
    { type: "tool_result", id: "1", name: "edit_file", ok: true, chars: 1_200, preview: "Edited `a.ts`" },
    { type: "tool_call", id: "2", name: "run_command", input },
    { type: "decision", action: run, verdict: { allowed: false, by: "rule", note: "never" } },
    { type: "tool_result", id: "2", name: "run_command", ok: false, chars: 9, preview: "No." },
    said("[harness] Look again."),
    // What a check runs is decided outside of any call.
    { type: "decision", action: run, verdict: { allowed: true, by: "rule" } },
    { type: "check", name: "verify", result: { pass: false, report: "1 failed" } },
    { type: "check", name: "verify", result: { pass: true, note: "`npm test` passed" } },
    { type: "check", name: "verify", result: { pass: true, unverified: true, note: "nothing changed" } },
    { type: "check", name: "citations", result: { pass: true } },
    { type: "citation", ref: "a.ts:9", state: "broken" },
    undefined,
    stop,
    start("And on"),
    said("And on"),
  );
  expect(text.trimEnd().split("\n\n")).toEqual([
    "# Fix \\[it\\]",
    "Session `s1` in `/r`, with `p/m`.",
    "## Turn 1",
    "**You:**",
    "> Fix [it]\n> now",
    "**croft:**",
    "I read **it**.",
    '**edit\\_file** `{"path":"a.ts"}`',
    "````diff\n--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-one\n+```\n````",
    "→ `` Edited `a.ts` `` (1,200 characters)",
    '**run\\_command** `{"path":"a.ts"}`',
    '```console\n$ rm "a b"\n```',
    "Refused by a rule: never",
    "→ failed: `No.` (9 characters)",
    "*Told by the harness:*",
    "> [harness] Look again.",
    "Check verify failed:",
    "```\n1 failed\n```",
    "*verified: \\`npm test\\` passed*",
    "*unverified: nothing changed*",
    "Citation `a.ts:9`: broken",
    "*Line 17 of the trace cannot be read.*",
    "*done: 2 steps, $0.0100.*",
    "## Turn 2",
    "**You:**",
    "> And on",
  ]);
});

const opens = [
  "```",
  "````ts",
  "~~~~",
  "  ```",
  "<!-- hidden",
  "<script>",
  "<pre>",
  "<?x",
  "<!X",
  "> ```",
  "- a\n\n  ```",
];
const spoken = fc
  .array(fc.oneof(fc.constantFrom(...opens, "words", "", "```", "# Title", "`` `", "\u001b[2J"), fc.string()))
  .map((lines) => lines.join("\n"));

test("whatever was said, a heading behind it is one, and nothing in it moves a terminal", () => {
  fc.assert(
    fc.property(spoken, spoken, (asked, words) => {
      const text = transcriptOf(start(asked), said(asked), answered(words), stop, start("two"));
      const headings = new Marked()
        .lexer(text)
        .flatMap((token) => (token.type === "heading" ? [token.raw.trim()] : []));
      expect([headings.at(-1), /[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(text)]).toEqual(["## Turn 2", false]);
    }),
    { numRuns: 2_000 },
  );
});
