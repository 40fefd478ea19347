import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Event } from "../event.ts";
import { textOf, type Usage } from "../message.ts";
import { openAsking, type Opened } from "../preset/asking.testing.ts";
import type { RunBudget } from "../preset/turns.ts";
import type { MessagesServer } from "../testing/messages-server/messages-server.ts";
import {
  call,
  errorEvent,
  httpError,
  rawCall,
  reply,
  say,
  think,
  type ServerScript,
} from "../testing/messages-server/script.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-loop-"));
  writeFileSync(join(folder, "a.ts"), "export function alpha() {\n  return beta();\n}\n");
});
afterEach(() => rmSync(folder, { recursive: true }));

/**
 * The whole of croft but its command: the loop, real tools on a real folder, the adapter, a strict server over HTTP.
 */
function open(script: ServerScript, budget: Partial<RunBudget> = {}): Promise<Opened> {
  return openAsking(folder, script, { budget, retry: { baseMs: 1 } });
}

const never = new AbortController().signal;

/** The events that are no deltas, each in a word or two. */
function outline(events: readonly Event[]): string[] {
  return events.map(wordsFor).filter((words) => words !== "");
}

function wordsFor(event: Event): string {
  switch (event.type) {
    case "start":
      return "start";
    case "message":
      return `${event.message.role} message`;
    case "step":
      return `step ${event.step}: ${typeof event.stop === "string" ? event.stop : JSON.stringify(event.stop)}`;
    case "tool_call":
      return `call ${event.name}`;
    case "tool_result":
      return `${event.name} ${event.ok ? "ok" : "failed"}: ${event.preview}`;
    case "check":
      return `check ${event.name}: ${event.result.pass ? "pass" : "fail"}`;
    case "citation":
      return `citation ${event.ref}: ${event.state}`;
    case "notice":
      return `notice ${event.code}`;
    case "stop":
      return `stop ${event.status}`;
    default:
      return "";
  }
}

const results = (server: MessagesServer, request: number): unknown =>
  server.requests[request - 1]?.body.messages.at(-1)?.content;

describe("a turn", () => {
  it("goes from question over tools to an answer that was checked", async () => {
    const { asking, events, server } = await open([
      [think("look"), say("Let me see."), call("read_file", { path: "a.ts" }, "t1")],
      say("`alpha` is defined at a.ts:1."),
    ]);
    expect(await asking.ask("Where is alpha?", never)).toEqual({
      status: "done",
      answer: "`alpha` is defined at a.ts:1.",
      failure: undefined,
    });
    expect(outline(events)).toEqual([
      "start",
      "user message",
      "step 1: tool_use",
      "assistant message",
      "call read_file",
      "read_file ok: a.ts: lines 1-3 of 3",
      "user message",
      "step 2: end_turn",
      "assistant message",
      "citation a.ts:1: verified",
      "check citations: pass",
      "stop done",
    ]);
    expect(results(server, 2)).toMatchObject([{ type: "tool_result", tool_use_id: "t1" }]);
  });

  it("reads most of its input from the cache from the second step on", async () => {
    const script = [1, 2, 3].map((n) => call("read_file", { path: "a.ts", limit: n }, `t${n}`));
    const { asking, events } = await open([...script, say("Done.")]);
    await asking.ask(`Why? ${"Long question. ".repeat(500)}`, never);
    const usages = events.flatMap((event): Usage[] => (event.type === "step" ? [event.usage] : []));
    expect(usages).toHaveLength(4);
    for (const { input, cacheRead, cacheWrite } of usages.slice(1)) {
      expect(cacheRead).toBeGreaterThan(4 * (input + cacheWrite));
    }
  });

  it("answers every call of a reply in one message, in order, whatever becomes of each", async () => {
    const calls = [
      call("read_file", { path: "a.ts" }, "t1"),
      call("Read ", { path: "a.ts" }, "t2"),
      call("read_file", { path: "a.ts", offset: 0 }, "t3"),
      rawCall("search", '{"pattern":'),
      call("read_file", { path: ".env" }, "t5"),
    ];
    const { asking, server, events } = await open([calls, say("Done.")]);
    await asking.ask("Go.", never);
    expect(outline(events).filter((line) => /ok:|failed:/.test(line))).toEqual([
      "read_file ok: a.ts: lines 1-3 of 3",
      'Read  failed: There is no tool "Read ". The tools are: list_files, read_file, search.',
      "read_file failed: Invalid input: offset: must be >= 1. Correct it and call read_file again.",
      expect.stringMatching(/^search failed: .*not.*JSON/i),
      expect.stringMatching(/^read_file failed: .*\.env/),
    ]);
    expect(results(server, 2)).toMatchObject([
      { tool_use_id: "t1" },
      { tool_use_id: "t2", is_error: true },
      { tool_use_id: "t3", is_error: true },
      { is_error: true },
      { tool_use_id: "t5", is_error: true },
    ]);
  });

  it("runs no more than 64 calls of one reply, and answers the others", async () => {
    const calls = Array.from({ length: 66 }, (_, n) => call("read_file", { path: "a.ts", limit: n + 1 }, `t${n}`));
    const { asking, server, events } = await open([calls, say("Done.")]);
    expect(await asking.ask("Go.", never)).toMatchObject({ status: "done" });
    expect(results(server, 2)).toHaveLength(66);
    expect(outline(events).filter((line) => line.startsWith("read_file failed"))).toEqual([
      "read_file failed: Not run: only the first 64 calls of a reply are. Make fewer calls at once.",
      "read_file failed: Not run: only the first 64 calls of a reply are. Make fewer calls at once.",
    ]);
  });

  it("answers a call that is nothing but long at no greater length than any other", async () => {
    const keys = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`key${at}`, at]));
    const calls = [call("x".repeat(1_000_000), {}, "t1"), call("search", keys, "t2")];
    const { asking, events } = await open([calls, say("Done.")]);
    await asking.ask("Go.", never);
    const told = events.flatMap((event) => (event.type === "tool_result" ? [[event.ok, event.chars < 100_001]] : []));
    expect(told).toEqual([
      [false, true],
      [false, true],
    ]);
  });

  it("goes on after a pause, and joins what was cut at the output limit", async () => {
    const { asking } = await open([
      reply(say("One, "), { stop: "pause_turn" }),
      reply(say("two, "), { stop: "max_tokens" }),
      say("three."),
    ]);
    expect(await asking.ask("Count.", never)).toMatchObject({ status: "done", answer: "One, two, three." });
  });

  it("never runs a call of a reply that was cut, says so, and gives up when it happens again and again", async () => {
    const cut = reply(rawCall("read_file", '{"path":"a.t'), { stop: "max_tokens" });
    const { asking, events } = await open([cut, cut, cut, cut]);
    expect(await asking.ask("Go.", never)).toMatchObject({ status: "max_tokens" });
    expect(outline(events).filter((line) => line.startsWith("read_file"))).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^read_file failed: The reply hit the output limit/)),
    );
  });

  it.each([
    ["a refusal", reply(say("I will not."), { stop: "refusal" }), { status: "refused", answer: "I will not." }],
    [
      "a full context",
      reply(say("Well"), { stop: "model_context_window_exceeded" }),
      { status: "error", answer: "Well", failure: { code: "E_CONTEXT_FULL" } },
    ],
    [
      "an unknown stop",
      reply(say("Hm."), { stop: "lunch_break" }),
      { status: "error", answer: "Hm.", failure: { code: "E_UNKNOWN_STOP" } },
    ],
    ["a wrong key", httpError(401, "invalid x-api-key"), { status: "error", failure: { code: "E_AUTH" } }],
  ])("ends with a word of its own at %s", async (_, answer, outcome) => {
    const { asking } = await open([answer]);
    expect(await asking.ask("Go.", never)).toMatchObject(outcome);
  });

  it("asks for words when a reply is empty, and reports a model that stays silent", async () => {
    const { asking } = await open([[], say("Here."), [], [], [], []]);
    expect(await asking.ask("Go.", never)).toMatchObject({ status: "done", answer: "Here." });
    expect(await asking.ask("Again.", never)).toMatchObject({ status: "error", failure: { code: "E_EMPTY_ANSWER" } });
  });
});

describe("the budget of a turn", () => {
  const reading = (n: number) => call("read_file", { path: "a.ts", limit: n }, `t${n}`);

  it("is checked before a request: steps, with a word before the last one", async () => {
    const { asking, server } = await open((_, n) => reading(n), { steps: 3 });
    expect(await asking.ask("Go.", never)).toMatchObject({ status: "max_turns" });
    expect(server.requests).toHaveLength(3);
    expect(JSON.stringify(results(server, 3))).toContain("This is the last step");
    expect(JSON.stringify(results(server, 2))).not.toContain("This is the last step");
  });

  it("is checked before a request: tokens, cached ones too", async () => {
    const usage = { input: 10, cacheRead: 400, cacheWrite: 80, output: 10 };
    const { asking, server } = await open((_, n) => reply(reading(n), { usage }), { tokens: 1_000 });
    expect(await asking.ask("Go.", never)).toMatchObject({ status: "token_budget" });
    expect(server.requests).toHaveLength(2);
  });

  it("is checked before a request: dollars, at the worst case", async () => {
    const { asking, server } = await open((_, n) => reading(n), { dollars: 0.01 });
    expect(await asking.ask("Go.", never)).toMatchObject({ status: "dollar_budget" });
    expect(server.requests).toHaveLength(0);
  });

  it("ends a request that hangs when the time is up", async () => {
    const { asking } = await open([reply(say("slow"), { delayMs: 60_000 })], { ms: 300 });
    expect(await asking.ask("Go.", never)).toMatchObject({ status: "timeout" });
  });

  it("does not take an answer away that used it up", async () => {
    const { asking } = await open([reply(say("Fine."), { usage: { input: 5_000 } })], { steps: 1, tokens: 1_000 });
    expect(await asking.ask("Go.", never)).toMatchObject({ status: "done", answer: "Fine." });
  });
});

describe("a turn under trouble", () => {
  it("repeats a request that broke off, visibly, and runs a tool once", async () => {
    const whole = [say("I read."), call("read_file", { path: "a.ts" }, "t1")];
    const { asking, events, server } = await open([
      httpError(529, "overloaded", { "retry-after": "0" }),
      [...whole, errorEvent("overloaded_error")],
      reply(whole, { broken: { at: 700, how: "reset" } }),
      whole,
      say("Done."),
    ]);
    expect(await asking.ask("Go.", never)).toMatchObject({ status: "done", answer: "Done." });
    expect(outline(events)).toEqual([
      "start",
      "user message",
      "notice retry",
      "notice retry",
      "notice retry",
      "step 1: tool_use",
      "assistant message",
      "call read_file",
      "read_file ok: a.ts: lines 1-3 of 3",
      "user message",
      "step 2: end_turn",
      "assistant message",
      "check citations: pass",
      "stop done",
    ]);
    expect(server.requests).toHaveLength(5);
  });

  it("keeps the partial answer when the service gives up", async () => {
    const broken = reply(say("The first half of it"), { broken: { at: 900, how: "reset" } });
    const { asking, session } = await open(() => broken);
    const outcome = await asking.ask("Go.", never);
    expect(outcome).toMatchObject({ status: "error", failure: { code: "E_STREAM_CUT" } });
    expect(session.messages).toHaveLength(1);
  });

  it("is cancelled in the middle of a stream, keeps nothing half said, and the next turn is valid", async () => {
    const { asking, session } = await open([reply(say("a long answer ".repeat(50)), { paceMs: 20 }), say("Now then.")]);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 150);
    expect(await asking.ask("Go.", controller.signal)).toMatchObject({ status: "cancelled" });
    expect(session.messages.map(({ role }) => role)).toEqual(["user"]);
    expect(await asking.ask("Again.", never)).toMatchObject({ status: "done", answer: "Now then." });
  });

  it("ends when the model repeats itself, after telling it so", async () => {
    const { asking, server } = await open((_, n) => call("search", { pattern: "nowhere" }, `t${n}`));
    expect(await asking.ask("Go.", never)).toMatchObject({ status: "stuck" });
    expect(server.requests).toHaveLength(6);
    expect(JSON.stringify(results(server, 4))).toContain("This call was made 3 times");
  });

  it("ends when a tool is called that does not exist, again and again", async () => {
    const { asking, server } = await open((_, n) => call("unknown", { n }, `t${n}`));
    expect(await asking.ask("Go.", never)).toMatchObject({ status: "stuck" });
    expect(server.requests).toHaveLength(8);
  });
});

describe("the check of an answer", () => {
  it("gives a broken citation back to the model once, and takes the corrected answer", async () => {
    const { asking, events, server } = await open([
      call("read_file", { path: "a.ts" }, "t1"),
      say("It is at a.ts:77."),
      say("It is at a.ts:1."),
    ]);
    expect(await asking.ask("Where?", never)).toMatchObject({ status: "done", answer: "It is at a.ts:1." });
    expect(outline(events).filter((line) => /citation|check/.test(line))).toEqual([
      "citation a.ts:77: broken",
      "check citations: fail",
      "citation a.ts:1: verified",
      "check citations: pass",
    ]);
    expect(JSON.stringify(results(server, 3))).toContain("a.ts:77: the file has only 3 lines");
  });

  it("does not pass an answer whose citations stay broken", async () => {
    const { asking } = await open([say("See gone.ts:1."), say("See gone.ts:2.")]);
    expect(await asking.ask("Where?", never)).toMatchObject({ status: "check_failed", answer: "See gone.ts:2." });
  });

  it("only reports a line that was never shown, and one that says something else", async () => {
    writeFileSync(join(folder, "b.ts"), "export const gamma = 1;\n");
    const { asking, events } = await open([
      call("read_file", { path: "a.ts" }, "t1"),
      say("`gamma` is at b.ts:1. `delta` is at a.ts:2."),
    ]);
    expect(await asking.ask("Where?", never)).toMatchObject({ status: "done" });
    expect(outline(events).filter((line) => line.startsWith("citation"))).toEqual([
      "citation b.ts:1: unseen",
      "citation a.ts:2: mismatch",
    ]);
  });

  it("sees the whole of an answer that took several replies", async () => {
    const { asking, session } = await open([
      reply(say("It is at a."), { stop: "max_tokens" }),
      say("ts:99."),
      say("No."),
    ]);
    await asking.ask("Where?", never);
    const said = session.messages.map((message) => textOf(message));
    expect(said.some((text) => text.includes("a.ts:99: the file has only 3 lines"))).toBe(true);
  });
});
