import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { recentEvents } from "./recent.ts";

function logOf(...lines: readonly (string | object)[]): string {
  const folder = mkdtempSync(join(tmpdir(), "croft-recent-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "s.jsonl");
  writeFileSync(file, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)) + "\n").join(""));
  return file;
}

const start = (task: string): object => ({ ms: 1, type: "start", session: "s", root: "/r", model: "m", task });
const notice = (text: string): object => ({ ms: 2, type: "notice", code: "c", text });

async function shown(file: string, turns: number, events: number): Promise<string[]> {
  const found = await recentEvents(file, { turns, events });
  return found.map((event) => (event.type === "start" ? `> ${event.task}` : event.type === "notice" ? event.text : ""));
}

const three = [start("a"), notice("a1"), start("b"), notice("b1"), "{ torn", notice("b2"), start("c"), notice("c1")];

test.each([
  [1, 100, ["> c", "c1"]],
  [2, 100, ["> b", "b1", "b2", "> c", "c1"]],
  [9, 100, ["> a", "a1", "> b", "b1", "b2", "> c", "c1"]],
  [9, 3, ["> b", "b2", "> c", "c1"]],
])("%d turns, %d events", async (turns, events, expected) => {
  expect(await shown(logOf(...three), turns, events)).toEqual(expected);
});

test("a log whose first line is lost, and one without a turn", async () => {
  expect(await shown(logOf(notice("lost"), start("b"), notice("b1")), 5, 100)).toEqual(["> b", "b1"]);
  expect(await shown(logOf(notice("lost")), 5, 100)).toEqual([]);
});
