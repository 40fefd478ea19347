/** Talks with the offline model for tests: whole questions over real files. */

import { onTestFinished } from "vitest";
import type { Event } from "../event.ts";
import { policyGate } from "../gate/rules.ts";
import { openLog } from "../session/log.ts";
import { openAsk } from "./ask.ts";
import { plantTree, type Planted } from "../workspace/tree.testing.ts";
import { offline } from "../model/offline/offline.ts";

/** `calls`: name and input of each tool call; `unverified`: citations by state; `statuses`: how each turn ended. */
export type Talk = {
  ask: (question: string) => Promise<string>;
  calls: string[];
  unverified: string[];
  statuses: string[];
};

/** The assembly of ask over real files: real tools, loop and citation check, in one session that ends with the test. */
export function talk(files: Readonly<Record<string, Planted>>): Talk {
  const tree = plantTree(files);
  const calls: string[] = [];
  const unverified: string[] = [];
  const statuses: string[] = [];
  const session = openLog({ id: "test" });
  function emit(event: Event): void {
    if (event.type === "tool_call") calls.push(`${event.name} ${JSON.stringify(event.input)}`);
    if (event.type === "citation" && event.state !== "verified") unverified.push(`${event.state} ${event.ref}`);
    if (event.type === "stop") statuses.push(event.status);
  }
  const ask = openAsk({ root: tree.root, model: offline(), gate: policyGate(), session, emit });
  onTestFinished(async () => {
    await ask.close();
    tree.remove();
  });
  const signal = new AbortController().signal;
  return { ask: async (question) => (await ask.ask(question, signal)).answer, calls, unverified, statuses };
}

/** A small project with most of what a question can ask for. */
export const project: Readonly<Record<string, Planted>> = {
  "src/loop.ts": `import { check } from "./check.ts";

/** runTurn runs a turn. */
export async function runTurn(task: string): Promise<void> {
  await check(task);
}
`,
  "src/check.ts": "export function check(task: string): void {}\n",
  "src/main.ts": `import { runTurn } from "./loop.ts";
class Agent {
  async start(): Promise<void> {
    await runTurn("x");
    this.later(runTurn);
  }
}
`,
  "src/main.test.ts": `import { runTurn } from "./loop.ts";
test("runs", async () => {
  await runTurn("runTurn");
});
`,
  "README.md": "Call runTurn to run a turn.\n",
  ".env": "API_KEY=hunter2\n",
};
