import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Action, Event } from "@croft/harness";
import { said, see, status, start, stop, text } from "./screen.testing.ts";
import { emptyView, folded } from "./view.ts";

const signal = new AbortController().signal;
const allow = { decision: "allow", rule: "project files" } as const;

function call(id: string, name: string, input: unknown): Event {
  return { type: "tool_call", id, name, input };
}

function result(id: string, name: string, preview: string, more: object = {}): Event {
  return { type: "tool_result", id, name, ok: true, chars: 9, preview, ...more };
}

const diff = "--- a/a.ts\n+++ b/a.ts\n@@ -8,3 +8,3 @@\n one\n-const a = foo(1);\n+const a = bar(1);\n two\n";
const writing: Action = {
  kind: "write",
  changes: [{ asked: "a.ts", path: "a.ts", verdict: allow, change: "update", diff }],
};

const turn: readonly Event[] = [
  start("Where is it?"),
  { type: "delta", delta: { type: "progress", text: "Looking first.\n" } },
  call("1", "search", { pattern: "x", path: "src" }),
  result("1", "search", "12 lines in 3 files"),
  { type: "decision", action: writing, verdict: { allowed: true, by: "rule" } },
  call("2", "edit_file", { path: "a.ts", old_string: "foo", new_string: "bar" }),
  result("2", "edit_file", "", {
    landed: [{ path: "a.ts", before: "1", after: "2", hunks: [{ from: 9, removed: 1, to: 9, added: 1 }] }],
  }),
  call("3", "run_command", { argv: ["npm", "test"] }),
  { type: "output", id: "3", text: "not ok 1\nnot ok 2\n" },
  result("3", "run_command", "exit 1", { ok: false, details: { code: 1, timedOut: false, left: 0, notices: [] } }),
  call("4", "todo", { items: [] }),
  result("4", "todo", "1 of 2 done.", {
    details: {
      todos: [
        { text: "look", state: "done" },
        { text: "write", state: "doing" },
      ],
    },
  }),
  text("It is **here**: `src/a.ts:9`.\n\n```ts\nconst a = 1;\n```\n\n- 日本語 👩‍👩‍👧\n"),
  said("It is"),
  { type: "citation", ref: "src/a.ts:9", state: "verified" },
  { type: "check", name: "verify", result: { pass: true, note: "npm test passed" } },
  stop("It is"),
];

function normal(shown: string): string {
  return shown
    .replaceAll(/in \d+\.\d s/g, "in N s")
    .replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /g, "* ")
    .replaceAll(/\d+ s\b/g, "N s");
}

const transcript = [
  "› Where is it?",
  "",
  "  Looking first.",
  "",
  "✓ search x path: src  12 lines in 3 files",
  "",
  "  update a.ts",
  "   8  one",
  "   9 -const a = foo(1);",
  "   9 +const a = bar(1);",
  "  10  two",
  "",
  "✓ edit_file a.ts",
  "  changed a.ts (+1 -1)",
  "✗ run_command npm test",
  "  not ok 1",
  "  not ok 2",
  "  exit 1 in N s",
  "✓ todo  1 of 2 done.",
  "  [x] look",
  "  [>] write",
  "",
  "• It is here: src/a.ts:9.",
  "",
  "    const a = 1;",
  "",
  "  - 日本語 👩‍👩‍👧",
  "",
  "  verified: npm test passed",
  "  1 of 1 citation verified",
  "  done: 1 step, 1 file changed, verified, 15 tokens, $0.0010",
];

test.each([
  [80, 24, "  ask · 12% of 200k · $0.0123 · anthropic/claude · sandbox"],
  [200, 50, "  ask: each change is a question · 12% of 200k · $0.0123 · anthropic/claude · sandbox"],
])("a whole turn at %d columns, %d rows", async (columns, rows, shownStatus) => {
  const t = see({ columns, rows });
  t.screen.setStatus(status);
  for (const event of turn) t.screen.show(event);
  const shown = normal(await t.all());
  expect(shown.split("\n")).toEqual([...transcript, "", shownStatus, "›"]);
});

test("a turn that changed nothing says nothing of a check that had nothing to do", async () => {
  const t = see();
  t.screen.show(start("Look."));
  t.screen.show(said("Looked."));
  t.screen.show({ type: "check", name: "verify", result: { pass: true } });
  t.screen.show(stop("Looked."));
  expect(await t.shown()).toContain("\n  done: 1 step, 15 tokens, $0.0010\n");
});

test("what a person entered stands above what came of it; names of files are no Markdown", async () => {
  const t = see();
  t.screen.entered("/undo");
  t.screen.print(["Undone turn 1", "  - __init__.py"]);
  expect((await t.shown()).split("\n").slice(0, 4)).toEqual(["› /undo", "", "  Undone turn 1", "    - __init__.py"]);
});

test("twenty columns are enough", async () => {
  const t = see({ columns: 20, rows: 10 });
  t.screen.setStatus(status);
  for (const event of turn) t.screen.show(event);
  await t.type("a draft that is longer than the terminal is wide");
  const shown = (await t.shown()).split("\n");
  expect(shown.slice(-4)).toEqual([
    "  ask · 12% of 200k…",
    "› a draft that is l",
    "  onger than the te",
    "  rminal is wide",
  ]);
});

test("what runs is in motion until it has ended", async () => {
  const t = see();
  t.screen.setStatus({ ...status, working: true, queued: ["and then this\nand more", "that"] });
  t.screen.show(start("Go"));
  t.screen.show(call("1", "run_command", { argv: ["make"] }));
  t.screen.show({ type: "output", id: "1", text: Array.from({ length: 50 }, (_, n) => `line ${n}`).join("\n") });
  t.screen.show({ type: "explored", id: "1", event: { type: "tool_call", id: "x", name: "search", input: { a: 1 } } });
  expect(normal(await t.shown())).toBe(
    [
      "› Go",
      "",
      "* run_command make  N s",
      ...[44, 45, 46, 47, 48].map((n) => `    line ${n}`),
      '    line 49search {"a":1}',
      "  waits: and then this …",
      "  waits: that",
      "",
      "  ask · 12% of 200k · $0.0123 · anthropic/claude · sandbox",
      "›",
    ].join("\n"),
  );
});

test("resized in mid-stream, finished rows stand and the rest follows the new width", async () => {
  const t = see();
  t.screen.setStatus({ ...status, working: true });
  t.screen.show(start("Tell"));
  const words = "All of these words are in one long paragraph that has not come to its end yet and";
  t.screen.show(text(`First.\n\n${words}`));
  for (const columns of [30, 80, 44]) await t.resize(columns, 24);
  t.screen.show(text(" ends here.\n\nLast."));
  t.screen.show(said("…"));
  expect((await t.all()).split("\n").slice(0, 8)).toEqual([
    "› Tell",
    "",
    "• First.",
    "",
    "  All of these words are in one long",
    "  paragraph that has not come to its end yet",
    "  and ends here.",
    "",
  ]);
});

test("ten thousand deltas: each finished row is written once, and a delta costs no more than what it changes", async () => {
  const t = see({ columns: 80, rows: 24 });
  t.screen.setStatus({ ...status, working: true });
  t.screen.show(start("Count"));
  const begun = t.bytes().length;
  let sent = 0;
  for (let n = 0; n < 10_000; n += 1) {
    const piece = n % 10 === 9 ? `word${n}.\n\n` : `word${n} `;
    sent += piece.length;
    t.screen.show(text(piece));
    if (n % 500 === 0) await setTimeout(1);
  }
  t.screen.show(said("…"));
  const all = await t.all();
  const words = all.match(/word\d+/g) ?? [];
  expect(words).toEqual(Array.from({ length: 10_000 }, (_, n) => `word${n}`));
  // Frames are paced, so most deltas cost their own text alone.
  expect(t.bytes().length - begun).toBeLessThan(4 * sent);
});

test("a long paragraph in small pieces costs a bounded number of bytes for each frame", async () => {
  const t = see({ columns: 80, rows: 24 });
  t.screen.setStatus(status);
  t.screen.show(text("x".repeat(3_000)));
  await t.shown();
  const costs: number[] = [];
  for (let n = 0; n < 20; n += 1) {
    const before = t.bytes().length;
    t.screen.show(text(" word"));
    await t.shown();
    costs.push(t.bytes().length - before);
  }
  expect(Math.max(...costs)).toBeLessThan(80 * 4);
});

test("a block of hundreds of thousands of rows is written", async () => {
  const t = see();
  t.screen.print(Array.from({ length: 200_000 }, (_, n) => `${n}`));
  expect((await t.shown()).split("\n").slice(-4)).toEqual(["  199998", "  199999", "", "›"]);
});

test("a thought that never comes to the end of a line is written as it comes, and bounded while it is live", () => {
  let view = emptyView;
  const written: string[] = [];
  for (let n = 0; n < 10_000; n += 1) {
    const next = folded(view, { type: "delta", delta: { type: "progress", text: `word${n} ` } }, 0);
    view = next.view;
    written.push(...next.blocks.map((block) => (block.type === "thought" ? block.text : "")));
    expect(view.thought.length).toBeLessThanOrEqual(2_000);
  }
  const words = Array.from({ length: 10_000 }, (_, n) => `word${n}`);
  expect(`${written.join(" ")} ${view.thought}`.trim().split(" ")).toEqual(words);
});

test("an answer that comes whole, as in a session that is gone on with, is drawn block by block", () => {
  const { blocks } = folded(emptyView, said("# One\n\ntwo\n\n```js\nthree\n\nfour\n```\n"), 0);
  expect(blocks).toEqual([
    { type: "answer", source: "# One\n", first: true },
    { type: "answer", source: "\ntwo\n\n", first: false },
    { type: "answer", source: "```js\nthree\n\nfour\n```\n", first: false },
  ]);
});

test("at rest nothing is written and no timer runs", async () => {
  const t = see();
  t.screen.setStatus(status);
  await t.shown();
  const before = t.bytes();
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const count = timers();
  await setTimeout(300);
  expect([t.bytes() === before, timers() <= count]).toEqual([true, true]);
});

test("Ctrl+O unfolds the last call, and then the one before it", async () => {
  const t = see();
  const origin = { provider: "", model: "m" };
  const use = (id: string) => ({ type: "tool_use" as const, id, name: `tool_${id}`, input: { q: id } });
  const came = (id: string) => ({
    type: "tool_result" as const,
    toolUseId: id,
    content: [{ type: "text" as const, text: `all of ${id}\nand more` }],
    isError: false,
  });
  t.screen.show({ type: "message", message: { role: "assistant", content: [use("1"), use("2")], origin } });
  t.screen.show({ type: "message", message: { role: "user", content: [came("1"), came("2")] } });
  await t.type("\u000f", "\u000f");
  expect((await t.all()).split("\n").slice(0, 13)).toEqual([
    "▾ tool_2",
    "  {",
    '    "q": "2"',
    "  }",
    "  all of 2",
    "  and more",
    "",
    "▾ tool_1",
    "  {",
    '    "q": "1"',
    "  }",
    "  all of 1",
    "  and more",
  ]);
});

test("a reply that broke off is said to be asked for again", async () => {
  const t = see();
  t.screen.show(text("One.\n\nTwo"));
  t.screen.show({ type: "delta", delta: { type: "discard" } });
  t.screen.show(text("Anew."));
  t.screen.show(said("Anew."));
  expect((await t.all()).split("\n").slice(0, 5)).toEqual([
    "• One.",
    "",
    "  The reply broke off; it is asked for again.",
    "",
    "• Anew.",
  ]);
});

test("turns of before are shown as they were, and what was broken off in them runs no more", async () => {
  const t = see();
  t.screen.setStatus({ ...status, working: true });
  const before = [...turn, start("Again."), call("9", "run_command", { argv: ["sleep", "60"] })];
  t.screen.recall(before.map((event, ms) => ({ ...event, ms })));
  expect(
    normal(await t.all())
      .split("\n")
      .slice(0, -3),
  ).toEqual([...transcript, "", "› Again.", "", "* N s  Esc stops"]);
});

test("while a choice waits for the person nothing spins", async () => {
  const t = see();
  t.screen.setStatus({ ...status, working: true });
  void t.screen.choose({ title: "Which?", items: [{ value: "1", label: "one" }] }, signal);
  const shown = await t.shown();
  expect(shown).toContain("Which?");
  expect(shown).not.toContain("Esc stops");
});

test("a choice is narrowed by typing", async () => {
  const t = see();
  const items = ["apple", "pear", "plum"].map((label) => ({ value: label, label, note: `a ${label}` }));
  const choice = t.screen.choose({ title: "Which?", items }, signal);
  await t.type("p", "l", "\u001b[B");
  expect((await t.shown()).split("\n")).toEqual([
    "",
    "  Which?",
    "  apple  a apple",
    "❯ plum  a plum",
    "  2/2  type to narrow: pl",
  ]);
  await t.type("\r");
  expect(await choice).toBe("plum");
  const other = t.screen.choose({ title: "Which?", items }, signal);
  await t.type("\u001b");
  expect(await other).toBeUndefined();
});
