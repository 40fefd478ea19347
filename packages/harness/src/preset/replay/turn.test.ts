import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import type { AgentOptions } from "../../agent/agent.ts";
import { runTurn } from "../../agent/loop.ts";
import type { Check } from "../../check/check.ts";
import { Failure } from "../../error.ts";
import type { Event } from "../../event.ts";
import { call, say, scripted, slow, type ScriptedReply } from "../../model/scripted.ts";
import { openLog } from "../../session/log.ts";
import { defineTool, textResult, type Tool } from "../../tool/tool.ts";
import { createLedger } from "../../workspace/ledger.ts";
import { again, essence, makeFolder, traceBeside } from "./recorder.testing.ts";
import type { Assembly } from "../turns.ts";

const input = z.strictObject({ ms: z.number() });

/** Takes its time, and ends as its name says: on the signal, never before it is done, or badly. */
function timed(name: string, effect: Tool["effect"], end: (ms: number, signal: AbortSignal) => Promise<void>): Tool {
  return defineTool({
    name,
    description: name,
    input,
    effect,
    async run({ ms }, { signal }) {
      await end(ms, signal);
      return textResult(`${name} for ${ms} ms`);
    },
  });
}

const tools = [
  timed("yielding", "read", (ms, signal) => delay(ms, undefined, { signal })),
  timed("stubborn", "read", (ms) => delay(ms)),
  timed("yielding_write", "write", (ms, signal) => delay(ms, undefined, { signal })),
  timed("failing", "read", async (ms) => {
    await delay(ms);
    throw new Failure("E_NO", "It failed.");
  }),
  defineTool({
    name: "long",
    description: "long",
    input: z.strictObject({}),
    effect: "read",
    run: async () => textResult(Array.from({ length: 40_000 }, (_, line) => `line ${line}`).join("\n")),
  }),
];

/** Reads lines until the signal fires. */
const patient: Check = {
  name: "patient",
  rounds: 1,
  async run(turn, emit, signal) {
    const { answer } = turn;
    for (let line = 1; line <= answer.length && !signal.aborted; line++) await turn.lines("a.ts", line, line);
    if (signal.aborted) return { pass: true };
    emit({ type: "citation", ref: "a.ts:1", state: "verified" });
    return answer.length > 6 ? { pass: false, report: "Too long." } : { pass: true };
  },
};

const assembly: Assembly = { system: [{ type: "text", text: "Be patient." }], tools, checks: [patient] };
const untouched = (): never => {
  throw new Error("no tool here opens a door");
};

/** One turn that is cancelled, or out of time, after so many milliseconds. */
async function record(
  script: readonly ScriptedReply[],
  ends: "cancelled" | "timeout",
  ms: number,
): Promise<{ trace: string; events: Event[] }> {
  const trace = traceBeside(makeFolder());
  const session = openLog({ id: "recorded", file: trace });
  const events: Event[] = [];
  const options: AgentOptions = {
    ...assembly,
    model: scripted(script),
    maxTokens: 1000,
    workspace: {
      read: untouched,
      look: untouched,
      open: untouched,
      list: untouched,
      find: untouched,
      search: untouched,
      source: untouched,
      commit: untouched,
    },
    ledger: createLedger(),
    lines: async (path) => {
      await delay(1);
      return { path, lines: ["x"], total: 9 };
    },
    session,
    root: "/",
    budget: { steps: 8, tokens: 1000, ms: ends === "timeout" ? ms : 60_000 },
    cost: () => 0.5,
    emit: (event) => events.push(event),
  };
  const signal = ends === "cancelled" ? AbortSignal.timeout(ms) : new AbortController().signal;
  await runTurn("Wait.", options, signal);
  session.close();
  return { trace, events };
}

const times = fc.integer({ min: 0, max: 12 });
const names = ["yielding", "stubborn", "yielding_write", "failing"];
const parts = fc.oneof(
  fc.tuple(fc.constantFrom(...names), times).map(([name, ms]) => call(name, { ms })),
  fc.constant(call("unknown", {})),
);
const replies: fc.Arbitrary<ScriptedReply> = fc.oneof(
  fc.array(parts, { minLength: 1, maxLength: 4 }),
  times.map((ms) => slow(ms, [say("Wait."), call("stubborn", { ms })])),
  times.map((ms) => slow(ms, say("Waited so long."))),
);

it("a run that was cancelled, or out of time, is the same again, whatever went on just then", async () => {
  const ends = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(replies, { minLength: 1, maxLength: 6 }),
      fc.constantFrom("cancelled" as const, "timeout" as const),
      fc.integer({ min: 1, max: 25 }),
      async (script, end, ms) => {
        const recorded = await record([...script, say("Done.")], end, ms);
        const { same, differences, emitted } = await again(recorded.trace, { assembly });
        expect({ same, differences }).toEqual({ same: true, differences: [] });
        expect(essence(emitted)).toEqual(essence(recorded.events));
        for (const event of recorded.events) if (event.type === "stop") ends.add(event.status);
      },
    ),
    { numRuns: 200, endOnFailure: true },
  );
  expect([...ends]).toEqual(expect.arrayContaining(["cancelled", "timeout"]));
});

it("a call that was done after the signal keeps its result, beside one that was not finished", async () => {
  const script = [
    [call("stubborn", { ms: 40 }), call("yielding", { ms: 60_000 }), call("failing", { ms: 0 })],
    say("Never."),
  ];
  const recorded = await record(script, "cancelled", 20);
  const results = recorded.events.flatMap((event) => (event.type === "tool_result" ? [event.preview] : []));
  expect(results).toEqual(["stubborn for 40 ms", "Cancelled by the user.", "It failed."]);
  const { differences, emitted } = await again(recorded.trace, { assembly });
  expect(differences).toEqual([]);
  expect(essence(emitted)).toEqual(essence(recorded.events));
});

it("a result that was cut is the same again", async () => {
  const recorded = await record([call("long", {}), say("Yes.")], "timeout", 60_000);
  expect(recorded.events.flatMap((event) => (event.type === "tool_result" ? [event.chars < 100_000] : []))).toEqual([
    true,
  ]);
  const { differences, emitted } = await again(recorded.trace, { assembly });
  expect(differences).toEqual([]);
  expect(essence(emitted)).toEqual(essence(recorded.events));
});
