import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { Failure } from "../error.ts";
import type { Event } from "../event.ts";
import { policyGate } from "../gate/rules.ts";
import { anthropic } from "../model/anthropic.ts";
import type { Stop } from "../model/model.ts";
import {
  call,
  fail,
  say,
  scripted,
  think,
  using,
  type Part,
  type Script,
  type ScriptedReply,
} from "../model/scripted.ts";
import { readTrace } from "../session/trace.ts";
import { startMessagesServer } from "../testing/messages-server/messages-server.ts";
import { errorEvent, httpError, rawCall, reply, type ServerScript } from "../testing/messages-server/script.ts";
import { images } from "../workspace/image/files.testing.ts";
import { openReadOnly, readOnlyTools } from "./read-only.ts";
import { replay } from "./replay.ts";
import { again, essence, files, makeFolder, record, type Again, type Recorded } from "./replay/recorder.testing.ts";

const searching: Script = [
  [think("Let me see."), say("I look."), call("search", { pattern: "alpha" }), call("read_file", { path: "b.ts" })],
  [call("read_file", { path: ".env" }), call("no_such_tool", {}), call("read_file", { line: 1 })],
  say("`alpha` is at a.ts:1, and not at gone.ts:1."),
  say("`alpha` is at a.ts:1. `gamma` is at b.ts:1."),
];

/** As recorded, event by event. */
function expectSame(replayed: Again, recorded: Recorded): void {
  const { same, differences, damage, unfinished } = replayed;
  expect({ same, differences, damage, unfinished }).toEqual({ same: true, differences: [], damage: [], unfinished: 0 });
  expect(essence(replayed.emitted)).toEqual(essence(recorded.events));
  expect(replayed.events).toBe(essence(recorded.events).length);
}

const at = (recorded: Recorded, type: string, nth = 1): number =>
  essence(recorded.events).flatMap((event, index) => (Object(event).type === type ? [index + 1] : []))[nth - 1] ?? 0;

/** Writes a trace anew, each line changed. */
function rewrite(trace: string, change: (line: string, number: number) => string): void {
  const lines = readFileSync(trace, "utf8").trimEnd().split("\n");
  writeFileSync(trace, `${lines.map((line, index) => change(line, index + 1)).join("\n")}\n`);
}

/** With the tools made to run again in a folder. */
async function live(folder: string, trace: string): Promise<Again> {
  const tools = openReadOnly({ root: folder, gate: policyGate() });
  onTestFinished(() => tools.close());
  return again(trace, { live: tools });
}

describe("a trace that somebody else wrote", () => {
  const unsealed = (line: string): string => line.replace(/,"sum":"\w+"\}$/, "}");

  async function forged(change: (line: string, number: number, recorded: Recorded) => string): Promise<Recorded> {
    const recorded = await record(makeFolder(), scripted(searching), ["Where is alpha?"]);
    rewrite(recorded.trace, (line, number) => change(unsealed(line), number, recorded));
    return recorded;
  }

  it("with an event nested deeper than anything can walk has a line that cannot be read", async () => {
    const deep = `"input":{"x":${"[".repeat(20_000)}${"]".repeat(20_000)},`;
    const recorded = await forged((line, number, run) =>
      number === at(run, "tool_call") ? line.replace('"input":{', deep) : line,
    );
    const { damage, differences } = await again(recorded.trace);
    expect([damage, differences]).toEqual([[{ line: at(recorded, "tool_call"), what: "unreadable" }], []]);
  });

  it("with a hundred thousand notices, or results that nobody waited for, is played to its end", async () => {
    const notices = `\n{"ms":1,"type":"notice","code":"x","text":"y"}`.repeat(150_000);
    const talkative = await forged((line, number) => (number === 1 ? line + notices : line));
    expect(await again(talkative.trace)).toMatchObject({ same: true, turns: 1 });

    const unfinished = JSON.stringify({ ms: 1, type: "tool_result", id: "", name: "", ok: false, chars: 0 });
    const many = `${unfinished.slice(0, -1)},"preview":"Cancelled by the user."}\n`.repeat(20_000);
    const idle = await forged((line, number, run) => (number === at(run, "tool_result") ? many + line : line));
    expect((await again(idle.trace)).differences).not.toEqual([]);
  });

  it("with thousands of steps takes no memory for their square", async () => {
    const recorded = await record(makeFolder(), scripted([say("Well.")]), ["Is it?"]);
    const step = at(recorded, "step");
    const lines = readFileSync(recorded.trace, "utf8").trimEnd().split("\n").map(unsealed);
    const reply = lines.slice(step - 1, step + 1);
    const many = Array.from({ length: 3_000 }, () => reply.join("\n"));
    writeFileSync(recorded.trace, [...lines.slice(0, step - 1), ...many, ...lines.slice(step + 1)].join("\n"));
    const before = process.memoryUsage().heapUsed;
    let most = 0;
    const trace = await readTrace(recorded.trace);
    const emit = (): void => void (most = Math.max(most, process.memoryUsage().heapUsed));
    expect((await replay(trace, { emit }, new AbortController().signal)).same).toBe(false);
    expect(most - before).toBeLessThan(200_000_000);
  });
});

describe("a recorded run", () => {
  it("is the same again, without its project", async () => {
    const folder = makeFolder();
    const recorded = await record(folder, scripted(searching), ["Where is alpha?"]);
    for (const name of Object.keys(files)) rmSync(join(folder, name));
    expectSame(await again(recorded.trace), recorded);
  });

  it("of several turns is the same again", async () => {
    const script = [
      ...searching,
      call("read_file", { path: "b.ts" }),
      say("See a.ts:2 and b.ts:1."),
      say("And a.ts:1."),
    ];
    const recorded = await record(makeFolder(), scripted(script), ["Where is alpha?", "And beta?", "And then?"]);
    expectSame(await again(recorded.trace), recorded);
  });

  it("with a call that was not run at first is the same again", async () => {
    const asked = call("read_file", { path: "b.ts" });
    const recorded = await record(
      makeFolder(),
      scripted([{ parts: [asked], stop: "max_tokens" }, asked, say("Yes.")]),
      ["Why?"],
    );
    expectSame(await again(recorded.trace), recorded);
  });

  it("with memory files and images is the same again, its tools too", async () => {
    const folder = makeFolder({
      "AGENTS.md": "Be kind.",
      "sub/AGENTS.md": "Be brief.",
      "sub/c.ts": "gamma\n",
      "p.jpg": images.jpeg,
    });
    const calls = ["sub/c.ts", "p.jpg", "a.ts"].map((path) => call("read_file", { path }));
    const recorded = await record(folder, scripted([calls, call("read_file", { path: "sub/c.ts" }), say("Yes.")]), [
      "Why?",
    ]);
    expect(JSON.stringify(recorded.events)).toMatch(/Memory files: AGENTS\.md.*Memory files: sub\/AGENTS\.md/);
    const replayed = await live(folder, recorded.trace);
    expectSame(replayed, recorded);
    expect(replayed.calls).toBe(4);
    rmSync(folder, { recursive: true });
    expectSame(await again(recorded.trace), recorded);
  });

  it.each<[string, ServerScript, object]>([
    ["retries", (_, n) => (n < 3 ? httpError(529) : say("At last.")), {}],
    [
      "a stream that was cut and asked again",
      (_, n) => (n < 2 ? [say("Half"), errorEvent("api_error")] : say("Whole.")),
      {},
    ],
    ["a stream that is cut for good", () => [say("Half"), errorEvent("api_error")], {}],
    ["input that is no JSON", (_, n) => (n < 2 ? rawCall("search", '{"pattern": "al') : say("Sorry.")), {}],
    ["a refusal", () => reply(say("No."), { stop: "refusal" }), {}],
    ["a stop nobody knows", () => reply(say("Hm."), { stop: "lunch" }), {}],
    ["a reply that is cut at the output limit", () => reply(say("And so on"), { stop: "max_tokens" }), {}],
    ["a call that is cut there", () => reply([call("search", { pattern: "a" })], { stop: "max_tokens" }), {}],
    ["a wrong key", () => httpError(401), {}],
    ["nothing said, again and again", () => reply([], { stop: "end_turn" }), {}],
    ["the limit of steps", (_, n) => call("search", { pattern: `name${n}` }), { steps: 3 }],
    ["the limit of tokens", () => call("search", { pattern: "alpha" }), { tokens: 1 }],
    ["the ceiling in dollars", () => call("search", { pattern: "alpha" }), { dollars: 0.03 }],
    ["a model that repeats itself", () => call("search", { pattern: "alpha" }), { steps: 20 }],
    ["a check that fails twice", () => say("It is at gone.ts:1."), {}],
    [
      "results of the greatest size",
      (_, n) => (n < 2 ? call("read_file", { path: "large.txt", limit: 2000 }) : say("Yes.")),
      {},
    ],
  ])("with %s is the same again", async (_, script, budget) => {
    const server = await startMessagesServer({ script });
    onTestFinished(() => server.close());
    const model = anthropic({ model: "claude-opus-5-5", apiKey: "test-key", baseUrl: server.url });
    const folder = makeFolder();
    writeFileSync(join(folder, "large.txt"), `${"x".repeat(120)}\n`.repeat(2000));
    const recorded = await record(folder, model, ["Where is alpha?"], { budget });
    await server.close();
    expectSame(await again(recorded.trace), recorded);
  });

  const parts: fc.Arbitrary<Part> = fc.oneof(
    fc
      .constantFrom(
        "",
        "Yes.",
        "`alpha` is at a.ts:1.",
        "See b.ts:1, a.ts:2-3 and gone.ts:4.",
        "`x` at a.ts:99",
        "\ud800",
      )
      .map(say),
    fc.constantFrom("search", "read_file", "list_files", "other").chain((name) =>
      fc
        .record(
          {
            pattern: fc.constantFrom("alpha", "beta", "("),
            path: fc.constantFrom("a.ts", ".env", "../x", "no"),
            limit: fc.nat(3),
          },
          { requiredKeys: [] },
        )
        .map((input) => call(name, input)),
    ),
    fc.constant(call("search", "no object")),
    fc.constant(call("search", { pattern: "alpha" }, "same")),
    fc.string({ unit: "binary" }).map(think),
  );
  const stops = fc.constantFrom<Stop>("max_tokens", "refusal", "pause", "context_full", "end_turn", {
    unknown: "lunch",
  } as const);
  const replies: fc.Arbitrary<ScriptedReply> = fc.oneof(
    { weight: 6, arbitrary: fc.array(parts, { maxLength: 5 }) },
    { weight: 2, arbitrary: fc.record({ parts: fc.array(parts, { maxLength: 3 }), stop: stops }) },
    { weight: 1, arbitrary: fc.nat(9000).chain((output) => fc.array(parts).map((said) => using({ output }, said))) },
    { weight: 1, arbitrary: fc.constant(fail(new Failure("E_OVER", "It is over.", { remedy: "Rest." }))) },
  );

  it("is the same again, whatever was said in it, and when it was cancelled", async () => {
    const folder = makeFolder();
    await fc.assert(
      fc.asyncProperty(
        fc.array(replies, { maxLength: 12 }),
        fc.record({ steps: fc.integer({ min: 1, max: 6 }), tokens: fc.constantFrom(5_000, 300_000) }),
        fc.array(fc.constantFrom("Where is alpha?", "And beta?"), { minLength: 1, maxLength: 3 }),
        fc.option(fc.nat(60)),
        async (script, budget, questions, cancelAfter) => {
          const cancel = new AbortController();
          let count = 0;
          const onEvent = (): void => {
            count += 1;
            if (count === cancelAfter) cancel.abort();
          };
          const recorded = await record(folder, scripted(script), questions, {
            budget,
            signal: cancel.signal,
            onEvent,
          });
          expectSame(await again(recorded.trace), recorded);
        },
      ),
      { numRuns: 200, endOnFailure: true },
    );
  });
});

describe("a trace that was changed", () => {
  it.each<[string, string, number, (line: string) => string]>([
    ["a tool's result", "message", 3, (line) => line.replace("const beta", "const zeta")],
    ["a reply", "message", 2, (line) => line.replace("I look", "I book")],
    ["thinking", "message", 2, (line) => line.replace("Let me see", "Let me sea")],
    ["a cited line", "lines", 1, (line) => line.replace("alpha", "alfha")],
    ["the last answer", "message", 8, (line) => line.replace("gamma", "gemma")],
  ])("in %s is told, with the line", async (_, type, nth, change) => {
    const recorded = await record(makeFolder(), scripted(searching), ["Where is alpha?"]);
    const line = at(recorded, type, nth);
    const before = readFileSync(recorded.trace, "utf8");
    rewrite(recorded.trace, (text, number) => (number === line ? change(text) : text));
    expect(readFileSync(recorded.trace, "utf8")).not.toBe(before);
    const { same, damage } = await again(recorded.trace);
    expect({ same, damage }).toEqual({ same: false, damage: [{ line, what: "altered" }] });
  });

  it("in any byte is told, with the line", async () => {
    const recorded = await record(makeFolder(), scripted(searching), ["Where is alpha?"]);
    const bytes = readFileSync(recorded.trace);
    const whole = bytes.length - 1; // without its last newline it is still whole
    await fc.assert(
      fc.asyncProperty(fc.nat(whole - 1), fc.constantFrom(0x00, 0x20, 0x22, 0x41, 0x7d, 0xff), async (place, byte) => {
        fc.pre(bytes[place] !== byte && bytes[place] !== 0x0a);
        writeFileSync(recorded.trace, bytes.with(place, byte));
        const line = bytes.subarray(0, place).filter((each) => each === 0x0a).length + 1;
        const { same, damage, differences } = await again(recorded.trace).catch((thrown: unknown) => {
          if (thrown instanceof Failure) return { same: false, damage: [{ line }], differences: [] };
          throw thrown;
        });
        expect(same).toBe(false);
        expect([...damage, ...differences].map((each) => each.line)).toContain(line);
      }),
      { numRuns: 300 },
    );
  });

  it("and bears no seals is told by what follows from it", async () => {
    const recorded = await record(makeFolder(), scripted(searching), ["Where is alpha?"]);
    rewrite(recorded.trace, (line) => line.replace(/,"sum":"\w+"\}$/, "}").replace("`gamma` is", "`beta` is"));
    const { differences, damage } = await again(recorded.trace);
    expect(damage).toEqual([]);
    expect(differences).toEqual([
      {
        line: at(recorded, "citation", 4),
        step: 4,
        what: "citation.state",
        recorded: '"mismatch"',
        now: '"verified"',
      },
    ]);
  });
});

describe("a trace that says more than the run", () => {
  it("is told apart, with the line", async () => {
    const recorded = await record(makeFolder(), scripted([say("Yes.")]), ["Why?"]);
    const lines = readFileSync(recorded.trace, "utf8").trimEnd().split("\n");
    const more = '{"ms":1,"type":"citation","ref":"a.ts:1","state":"verified"}';
    writeFileSync(recorded.trace, `${lines.join("\n")}\n${more}\n`.replaceAll(/,"sum":"\w+"/g, ""));
    expect((await again(recorded.trace)).differences).toEqual([
      {
        line: lines.length + 1,
        step: 1,
        what: "citation",
        recorded: '{"type":"citation","ref":"a.ts:1","state":"verified"}',
        now: "nothing",
      },
    ]);
  });
});

describe("a trace that was cut off", () => {
  it("after any line is the same as far as it goes", async () => {
    const recorded = await record(makeFolder(), scripted([...searching, say("Yes.")]), ["Where is alpha?", "Really?"]);
    const lines = readFileSync(recorded.trace, "utf8").trimEnd().split("\n");
    for (let count = 1; count < lines.length; count++) {
      writeFileSync(recorded.trace, `${lines.slice(0, count).join("\n")}\n`);
      const { emitted, differences, unfinished } = await again(recorded.trace);
      const stopped = lines[count - 1]?.includes('"type":"stop"') === true;
      expect({ count, differences, unfinished }).toEqual({ count, differences: [], unfinished: stopped ? 0 : 1 });
      const events = essence(emitted);
      expect(events).toEqual(essence(recorded.events).slice(0, events.length));
    }
  });

  it("within a line says that the line cannot be read", async () => {
    const recorded = await record(makeFolder(), scripted(searching), ["Where is alpha?"]);
    const text = readFileSync(recorded.trace, "utf8");
    writeFileSync(recorded.trace, text.slice(0, -30));
    const { same, differences, damage, unfinished } = await again(recorded.trace);
    const line = text.trimEnd().split("\n").length;
    expect({ same, differences, damage, unfinished }).toEqual({
      same: false,
      differences: [],
      damage: [{ line, what: "unreadable" }],
      unfinished: 1,
    });
  });

  it("and continued is played turn by turn", async () => {
    const folder = makeFolder();
    const first = await record(folder, scripted(searching), ["Where is alpha?"]);
    const lines = readFileSync(first.trace, "utf8").split("\n").slice(0, 6);
    const second = await record(folder, scripted([say("Yes.")]), ["Really?"]);
    writeFileSync(second.trace, `${lines.join("\n")}\n{"ms":12,"ty\n${readFileSync(second.trace, "utf8")}`);
    const { turns, unfinished, differences, damage } = await again(second.trace);
    expect({ turns, unfinished, differences, damage }).toEqual({
      turns: 2,
      unfinished: 1,
      differences: [],
      damage: [{ line: 7, what: "unreadable" }],
    });
  });
});

describe("another croft than the one that recorded", () => {
  const bare = (line: string): string => line.replace(/,"sum":"\w+"\}$/, "}");

  it.each<[string, string, (line: string) => string]>([
    ["the words it gives the model", "start.setup.system[0].text", (line) => line.replace("careful", "careless")],
    [
      "its tools",
      "start.setup.tools[2].description",
      (line) => line.replace(/("name":"search","description":")\w/, "$1?"),
    ],
    [
      "what a tool takes",
      "start.setup.tools[2].schema.type",
      (line) => line.replace(/("name":"search".*?"type":)"object"/, '$1"array"'),
    ],
  ])("is told apart by %s", async (_, what, change) => {
    const recorded = await record(makeFolder(), scripted([say("Yes.")]), ["Why?"]);
    rewrite(recorded.trace, (line) => change(bare(line)));
    const { differences } = await again(recorded.trace);
    expect(differences.map((each) => [each.line, each.step, each.what])).toEqual([[1, 0, what]]);
  });

  it("is given what came from outside besides its own words", async () => {
    const recorded = await record(makeFolder(), scripted([say("Yes.")]), ["Why?"]);
    rewrite(recorded.trace, (line) =>
      bare(line).replace(/("system":\[.*?\})\]/, '$1,{"type":"text","text":"From the project."}]'),
    );
    const { same, emitted } = await again(recorded.trace);
    expect(same).toBe(true);
    expect(emitted[0]).toMatchObject({ setup: { system: [{}, { type: "text", text: "From the project." }] } });
  });

  it("is told apart by what its loop says to the model, and is not answered any further", async () => {
    const recorded = await record(makeFolder(), scripted([say(""), say("Yes.")]), ["Why?"]);
    rewrite(recorded.trace, (line) => bare(line).replace("Answer the question", "Answer every question"));
    const { differences, emitted } = await again(recorded.trace);
    expect(differences.map(({ line, step, what }) => ({ line, step, what }))).toEqual([
      { line: 5, step: 1, what: "message.message.content[0].text" },
    ]);
    expect(emitted.at(-1)).toMatchObject({ type: "stop", status: "error", failure: { code: "E_REPLAY_DIFFERS" } });
  });
});

describe("tools made to run again", () => {
  it("give the same in a project that is the same", async () => {
    const folder = makeFolder();
    const recorded = await record(folder, scripted(searching), ["Where is alpha?"]);
    const replayed = await live(folder, recorded.trace);
    expectSame(replayed, recorded);
    expect(replayed.calls).toBe(3);
  });

  it("are told apart where the project is another, and the run is still the recorded one", async () => {
    const folder = makeFolder();
    const recorded = await record(folder, scripted(searching), ["Where is alpha?"]);
    writeFileSync(join(folder, "b.ts"), "export const beta = () => 3;\n");
    const { differences, emitted, same } = await live(folder, recorded.trace);
    expect(same).toBe(false);
    expect(differences).toEqual([
      {
        line: at(recorded, "tool_result", 2),
        step: 1,
        what: 'read_file({"path":"b.ts"}), made again',
        recorded: '…"port const beta = () => 2;"',
        now: '…"port const beta = () => 3;"',
      },
    ]);
    expect(essence(emitted)).toEqual(essence(recorded.events));
  });

  it("tell a file that is gone", async () => {
    const folder = makeFolder();
    const recorded = await record(folder, scripted(searching), ["Where is alpha?"]);
    rmSync(join(folder, "b.ts"));
    const { differences } = await live(folder, recorded.trace);
    expect(differences.map(({ line }) => line)).toEqual([at(recorded, "tool_result", 2)]);
  });

  it("end with the signal, and so does the replay", async () => {
    const recorded = await record(makeFolder(), scripted(searching), ["Where is alpha?", "And?"]);
    const trace = await readTrace(recorded.trace);
    const controller = new AbortController();
    const emitted: Event[] = [];
    const emit = (event: Event): void => {
      emitted.push(event);
      if (event.type === "tool_call") controller.abort();
    };
    const call = (): never => {
      throw new Error("no call was to be made");
    };
    await replay(trace, { emit, live: { call, tools: readOnlyTools } }, controller.signal);
    expect(essence(emitted).at(-1)).toMatchObject({ type: "stop", status: "cancelled", steps: 1 });
  });
});
