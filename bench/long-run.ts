/**
 * A session of very many turns with a model in process, each of which reads 100 KB. Prints, as JSON, what turns cost
 * that come early and turns that come late; run with `--expose-gc`.
 */

import { statSync } from "node:fs";
import { openAsk, openLog, policyGate, type Message } from "@croft/harness";
import { call, say, scripted, using } from "@croft/harness/testing";

/** `ms` of the processor, for each turn: what else the machine does shows in them least. */
export type Window = { ms: number[]; requestBytes: number; heapBytes: number };
export type LongRun = { early: Window; late: Window; logBytes: number; resultBytes: number; compactions: number };

const [root = "", file = "", given = "0"] = process.argv.slice(2);
const turns = Number(given);
/** Turns looked at, at either end. */
const looked = Math.min(100, turns / 4);
const windows = { early: emptyWindow(), late: emptyWindow() };
let turn = 0;
let resultBytes = 0;
let compactions = 0;

const model = scripted(({ system, tools, messages }) => {
  const bytes = Buffer.byteLength(JSON.stringify([system, tools, messages]));
  const window = windowOf(turn);
  if (window !== undefined) window.requestBytes = Math.max(window.requestBytes, bytes);
  return using({ input: Math.ceil(bytes / 4), output: 100 }, answerTo(messages.at(-1)));
});

const session = openLog({ id: "long", file });
const asking = openAsk({
  root,
  session,
  gate: policyGate(),
  model: { ...model, context: 200_000 },
  budget: { tokens: Number.MAX_SAFE_INTEGER },
  emit(event) {
    if (event.type === "tool_result") resultBytes += event.chars;
    if (event.type === "compaction") compactions += 1;
  },
});
for (turn = 1; turn <= turns; turn++) {
  const began = process.cpuUsage();
  const { status } = await asking.ask(`Read number ${turn}.`, new AbortController().signal);
  const { user, system } = process.cpuUsage(began);
  if (status !== "done") throw new Error(`Turn ${turn} ended with ${status}.`);
  const window = windowOf(turn);
  if (window === undefined) continue;
  window.ms.push((user + system) / 1_000);
  globalThis.gc?.();
  window.heapBytes = Math.max(window.heapBytes, process.memoryUsage().heapUsed);
}
await asking.close();
session.close();
const found: LongRun = { ...windows, logBytes: statSync(file).size, resultBytes, compactions };
process.stdout.write(JSON.stringify(found));

function emptyWindow(): Window {
  return { ms: [], requestBytes: 0, heapBytes: 0 };
}

/** Early is the tenth of the way and what comes before it, once all is warm. */
function windowOf(at: number): Window | undefined {
  if (at > turns - looked) return windows.late;
  return at > turns / 10 - looked && at <= turns / 10 ? windows.early : undefined;
}

function answerTo(message: Message | undefined): ReturnType<typeof say> {
  const last = message?.content.at(-1);
  if (last?.type === "tool_result") return say("Read.");
  if (last?.type === "text" && last.text.startsWith("[harness]")) return say("Open: go on reading.");
  return call("read_file", { path: `src/large-${turn % 40}.txt`, offset: 1 + (turn % 7), limit: 2_000 });
}
