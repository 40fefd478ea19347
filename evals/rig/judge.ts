/** Whether a task was done: its hidden tests, put in only now, and run in the sandbox as a command of croft's. */

import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { croft } from "./croft.ts";
import type { Place } from "./place.ts";
import type { Task } from "./task.ts";

export type Verdict = { passed: boolean; failed: readonly string[] };

const folder = "hidden-tests";
const seconds = 120;

/** `failed`: the tests that did not pass, by name; one that never ran is none that passed. Throws where the tests cannot be run, as without a sandbox. */
export async function judge(task: Task, place: Place, signal: AbortSignal): Promise<Verdict> {
  const target = join(place.root, folder);
  rmSync(target, { recursive: true, force: true });
  cpSync(task.hidden, target, { recursive: true });
  const names = readdirSync(task.hidden);
  const tests = names.map((name) => `${folder}/${name}`);
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
  const passed = new Set(Array.from(text.matchAll(/^ok \d+ - (.*)$/gm), ([, name]) => name));
  // A project that ends the process when it is loaded fails no test.
  const failed = names.flatMap((name) => testsIn(join(task.hidden, name))).filter((test) => !passed.has(test));
  return { passed: text.startsWith("exit code 0\n") && failed.length === 0, failed };
}

/** The tests of a file, by name. */
function testsIn(file: string): string[] {
  return Array.from(readFileSync(file, "utf8").matchAll(/^test\("([^"]+)"/gm), ([, name = ""]) => name);
}

/** The result of a tool, as croft prints it. */
function textIn(line: string): string {
  const { content }: { content: readonly { text?: string }[] } = JSON.parse(line);
  return content.map(({ text = "" }) => text).join("\n");
}
