/** Sessions as months of work leave them: what it takes to go on with a large one, and to list a store of them. */

import { linkSync, mkdirSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { openLog, type Event, type Spent } from "@croft/harness";
import { say, startMessagesServer } from "@croft/harness/testing";
import { bareNode, croft, peakOf, versus, wallOf, type Command, type Place, type Row } from "./measure.ts";

const runs = 5;
/** Of the session that is gone on with. */
const wanted = { bytes: 300e6, lines: 100_000 };
const turns = 40;
const perStep = 6;
const origin = { provider: "anthropic", model: "claude-opus-5-5" };
const usage = { input: 1_000, cacheRead: 0, cacheWrite: 0, output: 100 };
/** Of the store that is listed: the same session under other names. */
const stored = 7;

export async function storedSessions({ project, home }: Place): Promise<Row[]> {
  const folder = join(home, ".local/state/croft/traces");
  mkdirSync(folder, { recursive: true });
  const server = await startMessagesServer({ apiKey: null, script: () => say("Done.") });
  const run = (...args: readonly string[]): Command => croft(args, project, home, { ANTHROPIC_BASE_URL: server.url });
  const node = bareNode(project);
  try {
    const emptyStore = await versus(wallOf, run("ask", "Hello?"), node, runs);
    const emptyPeak = await peakOf(run("ask", "Hello?"));
    const file = join(folder, "20260101T000000Z-000001.jsonl");
    writeSession(file, project);
    const { size } = statSync(file);
    const reading = await wallOf(reader(file, project));
    const resume: Command = run("resume", file, "Go on.");
    const resumed = await versus(
      async (command) => {
        const took = await wallOf(command);
        truncateSync(file, size); // as it was
        return took;
      },
      resume,
      reader(file, project),
      runs,
    );
    const peak = await peakOf(resume);
    for (let n = 2; n <= stored; n++) linkSync(file, join(folder, `20260101T000000Z-00000${n}.jsonl`));
    const listed = await versus(wallOf, run("sessions"), node, runs);
    const fullStore = await versus(wallOf, run("ask", "Hello?"), node, runs);
    const what = `a session of ${megabytes(size)} and ${wanted.lines} lines`;
    return [
      {
        what: `resume of ${what}`,
        value: (resumed.measured - emptyStore.measured) / (resumed.floor - emptyStore.floor),
        unit: "x reading it",
        budget: 20,
        detail: `${resumed.measured.toFixed(0)} ms against ${emptyStore.measured.toFixed(0)} for a new one; node reads the file in ${reading.toFixed(0)}`,
      },
      {
        what: `memory of it above a new one`,
        value: peak - emptyPeak,
        unit: "MiB",
        budget: 100,
        detail: `${peak.toFixed(0)} MiB against ${emptyPeak.toFixed(0)}`,
      },
      {
        what: `croft sessions, ${megabytes(stored * size)} stored`,
        value: listed.ratio,
        unit: "x node",
        budget: 4,
        detail: `${listed.measured.toFixed(0)} ms against ${listed.floor.toFixed(0)}`,
      },
      {
        what: `croft ask over HTTP, ${megabytes(stored * size)} stored`,
        value: fullStore.measured / emptyStore.measured,
        unit: "x nothing stored",
        budget: 1.1,
        detail: `${fullStore.measured.toFixed(0)} ms against ${emptyStore.measured.toFixed(0)}`,
      },
    ];
  } finally {
    await server.close();
  }
}

/** Reads the file in large pieces, and that is all. */
function reader(file: string, cwd: string): Command {
  const program = `
    const { openSync, readSync } = require("node:fs");
    const piece = Buffer.allocUnsafe(1 << 20);
    const descriptor = openSync(${JSON.stringify(file)});
    while (readSync(descriptor, piece) > 0);
  `;
  return { args: ["-e", program], cwd };
}

/** Turns of many steps, each of which reads much, all of it compacted at the end. */
function writeSession(file: string, root: string): void {
  const log = openLog({ id: "long", file });
  const append = (events: readonly Event[]): void => events.forEach((event) => log.append(event));
  const steps = Math.floor(wanted.lines / perStep);
  const text = `${"const some = 'words of a file';\n".repeat(40)}\t"quoted" \\ é\n`;
  const result = text.repeat(Math.ceil(wanted.bytes / steps / text.length)).slice(0, wanted.bytes / steps - 1_500);
  const notes = { role: "user" as const, content: [{ type: "text" as const, text: "[harness] Notes: all was read." }] };
  for (let turn = 1; turn <= turns; turn++) {
    append(beginning(root, log.spent));
    for (let step = 1; step <= steps / turns; step++) append(stepOf(step, result));
    const replaced = { upTo: log.messages.length, by: notes };
    if (turn === turns)
      append([{ type: "compaction", notes: "All was read.", usage, dollars: 0.01, stop: "end_turn", replaced }]);
    append([
      { type: "message", message: { role: "assistant", content: [{ type: "text", text: "Read." }], origin } },
      { type: "stop", status: "done", steps, usage, dollars: 1, answer: "Read." },
    ]);
  }
  log.close();
}

function beginning(root: string, earlier: Spent): Event[] {
  const task = "Read it all.";
  return [
    { type: "start", session: "long", root, model: "anthropic/claude-opus-5-5", task, earlier },
    { type: "message", message: { role: "user", content: [{ type: "text", text: task }] } },
  ];
}

function stepOf(step: number, result: string): Event[] {
  const id = `call_${step}`;
  const path = `src/file-${step}.ts`;
  const input = { path, offset: step };
  const shown = [{ path, hash: id.padEnd(64, "0"), from: 1, to: 400, via: "read" as const }];
  return [
    {
      type: "message",
      message: {
        role: "assistant",
        content: [
          { type: "text", text: "I read on. ".repeat(40) },
          { type: "tool_use", id, name: "read_file", input },
        ],
        origin,
      },
    },
    { type: "step", step, usage, dollars: 0.0001, stop: "tool_use" },
    { type: "tool_call", id, name: "read_file", input },
    { type: "decision", action: { kind: "read", asked: path, path }, verdict: { allowed: true, by: "rule" } },
    { type: "tool_result", id, name: "read_file", ok: true, chars: result.length, preview: "const", shown },
    {
      type: "message",
      message: {
        role: "user",
        content: [{ type: "tool_result", toolUseId: id, content: [{ type: "text", text: result }], isError: false }],
      },
    },
  ];
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
