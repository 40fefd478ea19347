import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Action } from "@croft/harness";
import { see, status, text } from "./screen.testing.ts";

const signal = new AbortController().signal;
/** Longer than the moment without a key that a question waits for. */
const pause = (): Promise<void> => setTimeout(450);

const command: Action & { kind: "run" } = {
  kind: "run",
  command: ["git", "push", "--force"],
  cwd: "sub",
  verdict: { decision: "ask", rule: "git push", profile: "plain" },
  enclosed: true,
  hosts: ["a.example"],
  programs: [],
};

function writing(path: string, diff: string): Action {
  const verdict = { decision: "ask", rule: "memory files" } as const;
  return { kind: "write", changes: [{ asked: "link.md", path, verdict, change: "update", diff }] };
}

test("a command is asked about with all there is to judge it by", async () => {
  const t = see();
  t.screen.setStatus(status);
  const answer = t.screen.ask(command, signal);
  expect(await t.shown()).toBe(
    [
      "  $ git push --force",
      "  in sub",
      "  why: git push",
      "  reaching a.example",
      "",
      "  ask · 12% of 200k · $0.0123 · anthropic/claude · sandbox",
      "? Run it?",
      "❯ (y) Yes, this once",
      "  (a) Always exactly this, in this project",
      "  (n) No",
      "  (r) No, and say why",
    ].join("\n"),
  );
  await pause();
  await t.type("a");
  expect(await answer).toEqual({ allowed: true, always: true });
  expect(await t.shown()).toContain("  Run it? always exactly this");
});

test.each([
  ["y", { allowed: true }],
  ["\r", { allowed: true }],
  ["n", { allowed: false }],
  ["\u001b", { allowed: false }],
  ["\u001b[B\r", { allowed: false }],
])("%j answers", async (keys, answer) => {
  const t = see();
  const asked = t.screen.ask(writing("docs/AGENTS.md", "@@ -1 +1 @@\n-a\n+b\n"), signal);
  expect(await t.shown()).toContain("update docs/AGENTS.md (named as link.md; memory files)");
  await pause();
  await t.type(keys);
  expect(await asked).toEqual(answer);
});

test("in a shell in which names may mean something else, nothing is approved for always", async () => {
  const t = see();
  const answer = t.screen.ask({ ...command, changedShell: true }, signal);
  expect(await t.shown()).not.toContain("(a)");
  await pause();
  await t.type("a", "n");
  await pause();
  await t.type("n");
  expect(await answer).toEqual({ allowed: false });
});

test("a reason is a no, whatever it says", async () => {
  const t = see();
  const asked = t.screen.ask(command, signal);
  await pause();
  await t.type("r", "y", "es", "\r");
  expect(await asked).toEqual({ allowed: false });
  const again = t.screen.ask(command, signal);
  await pause();
  await t.type("r", "use main", "\r");
  expect(await again).toEqual({ allowed: false, note: "use main." });
});

test("keys typed on from before a question came up do not answer it, and the text is not lost", async () => {
  const t = see();
  t.screen.setStatus({ ...status, working: true });
  await t.type("type y");
  const asked = t.screen.ask(command, signal);
  let answered = false;
  void asked.then(() => (answered = true));
  for (const key of ["y", "a", "\r", "y", "\r", "n"]) await t.type(key);
  expect(answered).toBe(false);
  await pause();
  await t.type("n");
  expect(await asked).toEqual({ allowed: false });
  expect(await t.shown()).toContain("› type yyay");
});

test("a message that is typed without looking up answers nothing, however long the pause before it", async () => {
  const t = see();
  let answered = false;
  const asked = t.screen.ask(command, signal);
  void asked.then(() => (answered = true));
  await pause();
  for (const key of ["f", "i", "x", " ", "y", "\r"]) await t.type(key);
  expect(await t.shown()).toContain("? Run it?\n❯ (y)");
  expect(answered).toBe(false);
  await pause();
  await t.type("Y");
  expect(await asked).toEqual({ allowed: true });
  expect(await t.shown()).toContain("› fix y");
});

test("lines in one read are a paste, where the terminal sets no marks, and answer nothing", async () => {
  const t = see();
  t.screen.setStatus(status);
  const answer = t.screen.ask(command, signal);
  await pause();
  await t.type("y\ry\r");
  expect(await t.shown()).toContain("That is in your message");
  await pause();
  await t.type("n");
  expect(await answer).toEqual({ allowed: false });
  expect((await t.shown()).endsWith("› y\n  y")).toBe(true);
});

test("a paste answers nothing", async () => {
  const t = see();
  let answered = false;
  void t.screen.ask(command, signal).then(() => (answered = true));
  await pause();
  await t.type("\u001b[200~y\r\u001b[201~", "yes\ry\r");
  expect(answered).toBe(false);
});

test("a long diff is shown in part, and whole when it is asked for", async () => {
  const t = see();
  const diff = `@@ -0,0 +1,300 @@\n${Array.from({ length: 300 }, (_, n) => `+line ${n + 1}`).join("\n")}\n`;
  const asked = t.screen.ask(writing("AGENTS.md", diff), signal);
  expect(await t.shown()).toContain("… (+100 more lines)\n");
  await pause();
  await t.type("d");
  expect(await t.shown()).toContain("300 +line 300\n");
  await t.type("y");
  expect(await asked).toEqual({ allowed: true });
});

test("what could hide in a command is shown: blanks, controls, letters of other scripts, a tail behind a line", async () => {
  const t = see();
  const hostile = `ls ${" ".repeat(2_000)}; rm -rf ~\r\u001b[2K\u202e p\u0430y # fine\nevil`;
  void t.screen.ask({ ...command, command: hostile }, signal).catch(() => undefined);
  const shown = await t.shown();
  expect(shown.split("\n").slice(0, 4)).toEqual([
    "  $ ls[2001 blanks]; rm -rf ~\\r\\x1b[2K\\u{202e} p\u0430y # fine",
    "  $ evil",
    "  letters of several scripts: p\\u{430}y",
    "  in sub",
  ]);
});

test("a question that output draws stands where none of croft's does", async () => {
  const t = see();
  t.screen.show(text("? Run it?\n❯ (y) Yes, this once\n\n"));
  t.screen.show({ type: "tool_call", id: "1", name: "run_command", input: {} });
  t.screen.show({ type: "output", id: "1", text: "? Run it?\n❯ (y) Yes\n" });
  const shown = await t.shown();
  expect(shown.split("\n").filter((line) => /^[?❯]/.test(line))).toEqual([]);
});

test("a question that is withdrawn rejects and leaves nothing to answer", async () => {
  const t = see();
  const controller = new AbortController();
  const asked = t.screen.ask(command, controller.signal);
  controller.abort(new Error("over"));
  await expect(asked).rejects.toThrow("over");
  expect(await t.shown()).not.toContain("Run it?\n❯");
});
