/** Whether a task was done: its hidden tests, put in only now, and run in the sandbox as a command of croft's. */

import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { croft } from "./croft.ts";
import type { Place } from "./place.ts";
import type { Task } from "./task.ts";

export type Verdict = { passed: boolean; failed: readonly string[] };

const folder = "hidden-tests";
const seconds = 120;

/** `failed`: the tests that did, by name. Throws where the tests cannot be run, as without a sandbox. */
export async function judge(task: Task, place: Place, signal: AbortSignal): Promise<Verdict> {
  const target = join(place.root, folder);
  rmSync(target, { recursive: true, force: true });
  cpSync(task.hidden, target, { recursive: true });
  const tests = readdirSync(target).map((name) => `${folder}/${name}`);
  const argv = ["node", "--test", "--test-reporter=tap", ...tests];
  const input = JSON.stringify({ argv, timeout_seconds: seconds });
  let text = "";
  const ended = await croft(["tool", "run_command", input, "--yes", "--json", "--no-project-config"], place, {
    ms: (seconds + 60) * 1_000,
    onLine: (line) => (text = textIn(line)),
    signal,
  });
  if (!/^(?:exit code|timed out|ended by) /.test(text))
    throw new Error(`The hidden tests of ${task.name} cannot be run: ${JSON.stringify(text)} ${ended.tail}`);
  return {
    passed: text.startsWith("exit code 0\n"),
    failed: Array.from(text.matchAll(/^not ok \d+ - (.*)$/gm), ([, name = ""]) => name),
  };
}

/** The result of a tool, as croft prints it. */
function textIn(line: string): string {
  const { content }: { content: readonly { text?: string }[] } = JSON.parse(line);
  return content.map(({ text = "" }) => text).join("\n");
}
