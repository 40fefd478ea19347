import { expect, test } from "vitest";
import type { Action } from "@croft/harness";
import { landedText, noLimits, usualLimits } from "./changes.ts";
import { noPaint, paintFor } from "./paint.ts";
import { actionLines, answerOf, promptFor } from "./question.ts";

const allow = { decision: "allow", rule: "project files" } as const;

const running: Action & { kind: "run" } = {
  kind: "run",
  command: ["ls"],
  cwd: ".",
  verdict: { decision: "unlisted", rule: "", profile: "plain" },
  enclosed: true,
  hosts: [],
  programs: [],
};

function writing(path: string, diff: string, asked = path): Action {
  return { kind: "write", changes: [{ asked, path, verdict: allow, change: "update", diff }] };
}

test.each([
  ["y", { allowed: true }],
  [" YES ", { allowed: true }],
  ["", { allowed: false }],
  ["n", { allowed: false }],
  ["No", { allowed: false }],
  ["yes please", { allowed: false, note: "yes please." }],
  ["yy", { allowed: false, note: "yy." }],
  ["why?", { allowed: false, note: "why?" }],
  ["\u001b[A", { allowed: false, note: "\u001b[A." }],
])("%j means %j", (typed, answer) => {
  expect(answerOf(typed, writing("a.ts", ""))).toEqual(answer);
});

test.each(["a", "A", " always "])("%j approves a command for good, and nothing else", (typed) => {
  expect(answerOf(typed, running)).toEqual({ allowed: true, always: true });
  const others: Action[] = [
    writing("a.ts", ""),
    { ...running, outside: "to push" },
    { ...running, changedShell: true },
  ];
  for (const action of others) {
    expect(answerOf(typed, action)).toMatchObject({ allowed: false });
    expect(promptFor(action, 0)).not.toContain("always");
  }
});

test("a word of a command that mixes scripts is spelled", () => {
  const verdict = { decision: "allow", rule: "", profile: "plain" } as const;
  const run = { kind: "run", cwd: ".", verdict, enclosed: true, hosts: [], programs: [] } as const;
  for (const command of ["cat p\u0430y", ["cat", "p\u0430y"]]) {
    expect(actionLines({ ...run, command }, noPaint, usualLimits).lines.at(-1)).toBe(
      "   letters of several scripts: p\\u{430}y",
    );
  }
});

test("a change is shown with its place, a second name and why it is asked about", () => {
  const ask = { decision: "ask", rule: "memory files" } as const;
  const changes = [
    { asked: "./x//a.ts", path: "x/a.ts", verdict: allow, change: "create", diff: "+one\n" },
    { asked: "AGENTS.md", path: "docs/AGENTS.md", verdict: ask, change: "delete", diff: "-two\n" },
  ] as const;
  expect(actionLines({ kind: "write", changes }, noPaint, usualLimits)).toEqual({
    lines: ["   create x/a.ts", "   +one", "   delete docs/AGENTS.md (named as AGENTS.md; memory files)", "   -two"],
    hidden: 0,
  });
  expect(promptFor({ kind: "write", changes }, 0)).toBe("Apply to x/a.ts and 1 more? [y/N, or say why not] ");
});

test("what is left out is counted, line by line and where a line is cut, until all of it is asked for", () => {
  const long = "x".repeat(1_500);
  const diff = [...Array.from({ length: 300 }, (_, n) => `+line ${n}`), `+${long}`].join("\n");
  const short = actionLines(writing("a", diff), noPaint, usualLimits);
  expect([short.lines.length, short.hidden]).toEqual([200, 102]);
  expect(promptFor(writing("a", diff), short.hidden)).toMatch(
    /^ {3}… \(\+102 more lines: d shows all of it\)\nApply to a\?/,
  );
  const cut = actionLines(writing("a", `+${long}`), noPaint, usualLimits);
  expect([cut.lines.at(-1), cut.hidden]).toEqual([`   +${"x".repeat(999)}… (+501 more characters)`, 1]);
  const whole = actionLines(writing("a", diff), noPaint, noLimits);
  expect([whole.lines.length, whole.hidden, whole.lines.at(-1)]).toEqual([302, 0, `   +${long}`]);
});

test("additions and removals are coloured, and text that would colour itself is not", () => {
  const { lines } = actionLines(writing("a", "+\u001b[32mgreen\n-red\n same\n"), paintFor(true), usualLimits);
  expect(lines.slice(1)).toEqual([
    "   \u001b[32m+\\x1b[32mgreen\u001b[39m",
    "   \u001b[31m-red\u001b[39m",
    "   \u001b[2m same\u001b[22m",
  ]);
});

test.each([
  [
    { kind: "read", asked: ".env", path: ".env", verdict: { decision: "ask", rule: "secrets" } },
    ["   read .env (secrets)"],
  ],
  [
    { kind: "search", asked: ".", path: ".", verdict: allow, pattern: "a\u202eb" },
    ["   search . (named as .) for a\\u{202e}b"],
  ],
] as const)("looking is shown in a line", (action, lines) => {
  expect(actionLines(action, noPaint, usualLimits)).toEqual({ lines, hidden: 0 });
  expect(promptFor(action, 0)).toBe("Allow it? [y/N, or say why not] ");
});

test("a command is shown whole, as a shell would take it, with where it runs and what it may reach", () => {
  const run: Action & { kind: "run" } = {
    kind: "run",
    command: ["git", "push", "it's", `a${" ".repeat(2_000)}b`, "\r\u001b[2K"],
    cwd: "sub",
    verdict: { decision: "ask", rule: "git push", profile: "plain" },
    enclosed: false,
    outside: "to push",
    hosts: ["a.example"],
    programs: [{ path: "x.sh", hash: "0123456789abcdef" }],
  };
  expect(actionLines(run, noPaint, usualLimits).lines).toEqual([
    String.raw`   $ git push 'it'\''s' 'a${" ".repeat(2_000)}b' '\r\x1b[2K'`,
    "   in sub",
    "   why: git push",
    "   outside the sandbox: to push",
    "   reaching a.example",
    "   with x.sh as it is now (0123456789ab)",
  ]);
  expect(promptFor(run, 0)).toBe("Run it? [y/N, or say why not] ");
  expect(promptFor({ ...run, outside: undefined }, 0)).toBe("Run it? [y/N, a for always just this, or say why not] ");
  const line = actionLines(
    { ...run, command: "a |\nb", cwd: ".", outside: undefined, hosts: [], programs: [] },
    noPaint,
    usualLimits,
  );
  expect(line.lines).toEqual(["   $ a |", "   $ b", "   why: git push", "   without a sandbox"]);
});

test("names that mix scripts with look-alikes are spelled, those of one script are not", () => {
  const shown = (path: string): string | undefined => actionLines(writing(path, ""), noPaint, usualLimits).lines[0];
  expect(shown("p\u0430y.ts")).toBe("   update p\u0430y.ts (its letters come from several scripts: p\\u{430}y.ts)");
  expect(shown("док/файл.ts")).toBe("   update док/файл.ts");
  expect(shown("café.ts")).toBe("   update café.ts");
});

test("what landed is a line: what became of the file, lines added and removed", () => {
  const hunks = [
    { from: 1, removed: 1, to: 1, added: 2 },
    { from: 9, removed: 0, to: 10, added: 1 },
  ];
  expect(landedText({ path: "a\n.ts", before: "1", after: "2", hunks })).toBe("changed a\\n.ts (+3 -1)");
  expect(landedText({ path: "a", before: null, after: "2", hunks })).toBe("created a (+3 -1)");
  expect(landedText({ path: "a", before: "1", after: null, hunks })).toBe("deleted a (+3 -1)");
});
