import { expect, test } from "vitest";
import type { Action, PlaceToWrite } from "./action.ts";
import { holdingChecks } from "./hold-checks.ts";

/** The verdicts that the gate behind it is given. */
async function verdicts(...changes: readonly PlaceToWrite[]): Promise<unknown[]> {
  const seen: Action[] = [];
  const gate = holdingChecks(
    async (action) => {
      seen.push(action);
      return { allowed: true, by: "rule" };
    },
    (path) => (path.includes("test") ? "test" : undefined),
  );
  await gate({ kind: "write", changes }, new AbortController().signal);
  return seen.flatMap((action) => (action.kind === "write" ? action.changes.map(({ verdict }) => verdict) : []));
}

function change(path: string, decision: "allow" | "ask" | "deny", rule: string): PlaceToWrite {
  return { asked: path, path, verdict: { decision, rule }, change: "update", diff: "" };
}

test("a test is a question while the check fails; what it is a question for besides, is told too", async () => {
  expect(
    await verdicts(
      change("a.ts", "allow", "project files"),
      change("a.test.ts", "allow", "project files"),
      change("b.test.ts", "ask", "it is read-only"),
      change("c.test.ts", "deny", "git internals"),
    ),
  ).toEqual([
    { decision: "allow", rule: "project files" },
    { decision: "ask", rule: "a test, while the project's check fails" },
    { decision: "ask", rule: "a test, while the project's check fails; and it is read-only" },
    { decision: "deny", rule: "git internals" },
  ]);
});
