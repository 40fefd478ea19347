import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolUsesOf } from "../../message.ts";
import { startChatServer } from "../../testing/chat-server/chat-server.ts";
import type { Quirks } from "../../testing/chat-server/quirks.ts";
import { call, say, think } from "../scripted.ts";
import { rawCall, rawChunk, reply, type ChatReply } from "../../testing/chat-server/script.ts";
import { chatCompletions } from "../chat-completions.ts";
import type { Delta, ModelRequest, Reply } from "../model.ts";

const never = new AbortController().signal;
const tool = (name: string) => ({ name, description: "", schema: {} });
const request: ModelRequest = {
  system: [],
  tools: [tool("read"), tool("search")],
  messages: [{ role: "user", content: [{ type: "text", text: "go" }] }],
  maxTokens: 100,
};
const usage = { prompt: 10, cached: 4, completion: 5 };

type Outcome = { reply: Reply; deltas: Delta[] };

/** What the adapter makes of each answer of a server. */
async function heard(script: readonly ChatReply[]): Promise<Outcome[]> {
  const server = await startChatServer({ script });
  const model = chatCompletions({ provider: "mock", model: "test", baseUrl: server.url, apiKey: "test-key" });
  try {
    const all: Outcome[] = [];
    for (const _ of script) {
      const deltas: Delta[] = [];
      all.push({ reply: await model.respond(request, (delta) => deltas.push(delta), never), deltas });
    }
    expect(server.rejections).toEqual([]);
    return all;
  } finally {
    await server.close();
  }
}

const parts = [
  think("Höm…"),
  say("Let me <think>look</think> at both, 🙂."),
  call("read", { path: "a.ts", deep: { list: [1, "}"] } }, "x1"),
  call("read", { path: "b.ts" }, "x2"),
  call("search", {}, "x3"),
];

const clean = {
  message: {
    role: "assistant",
    origin: { provider: "mock", model: "test" },
    content: [
      { type: "opaque", raw: { reasoning_content: "Höm…" } },
      { type: "text", text: "Let me <think>look</think> at both, 🙂." },
      { type: "tool_use", id: "x1", name: "read", input: { path: "a.ts", deep: { list: [1, "}"] } } },
      { type: "tool_use", id: "x2", name: "read", input: { path: "b.ts" } },
      { type: "tool_use", id: "x3", name: "search", input: {} },
    ],
  },
  usage: { input: 6, cacheRead: 4, cacheWrite: 0, output: 5 },
  stop: "tool_use",
  badInputs: new Map(),
};

/** The reply of a server with quirks, the ids it had to make up apart. */
async function withQuirks(quirks: Partial<Quirks>): Promise<{ reply: Reply; ids: string[]; notices: string[] }> {
  const [one] = await heard([reply(parts, { usage, quirks })]);
  if (one === undefined) throw new Error("no reply");
  const ids = toolUsesOf(one.reply.message).map(({ id }) => id);
  const content = one.reply.message.content.map((block) =>
    block.type === "tool_use" ? { ...block, id: `x${ids.indexOf(block.id) + 1}` } : block,
  );
  const notices = one.deltas.flatMap((delta) => (delta.type === "notice" ? [delta.code] : []));
  return { reply: { ...one.reply, message: { ...one.reply.message, content } }, ids, notices };
}

const cases: [string, Partial<Quirks>, string[]?][] = [
  ["keeps to the book", {}],
  ["reuses index 0 for every call", { index: "zero" }],
  ["sends no index", { index: "absent" }],
  ["reuses index 0, repeating id and name with each piece", { index: "zero", ids: "every", names: "every" }],
  ["sends id and name empty in later pieces", { ids: "blank_later", names: "blank_later" }],
  ["sends empty ids", { ids: "empty" }, ["call_1", "call_2", "call_3"]],
  ["sends no ids", { ids: "absent" }, ["call_1", "call_2", "call_3"]],
  ["sends neither id nor index", { ids: "absent", index: "absent" }, ["call_1", "call_2", "call_3"]],
  ["sends one index and no ids", { ids: "absent", index: "zero" }, ["call_1", "call_2", "call_3"]],
  ["gives every call the same id", { ids: "same" }, ["call_0", "call_0_1", "call_0_2"]],
  ["gives every call the same id and index", { ids: "same", index: "zero" }, ["call_0", "call_0_1", "call_0_2"]],
  ["sends arguments at once", { arguments: "whole" }],
  ["sends arguments as an object", { arguments: "object" }],
  ["sends every call twice", { twice: true }],
  [
    "sends every call twice, under one index and no id",
    { twice: true, index: "zero", ids: "absent" },
    ["call_1", "call_3", "call_5"],
  ],
  ["leaves out type and role", { type: false, role: false }],
  ["fills what does not apply with null", { nulls: true }],
  ["sends content as a list of parts", { content: "parts" }],
  ["ends calls with stop", { finish: "stop" }],
  ["ends calls with function_call", { finish: "function_call" }],
  ["gives no finish_reason", { finish: "absent" }],
  ["sends no [DONE]", { done: false }],
  ["sends the usage with the last choice", { usage: "with_finish" }],
  ["sends the usage with every chunk", { usage: "every" }],
  ["sends the whole message again at the end", { recap: true }],
  ["sends a second choice", { choices: 2 }],
  ["ends lines with CRLF", { eol: "\r\n" }],
  ["ends lines with CR", { eol: "\r" }],
  ["sends no space after data:", { space: false }],
  ["sends comments in between", { comments: true }],
  ["answers in one piece of JSON", { stream: false }],
];

describe("the same reply from a server that", () => {
  it.each(cases)("%s", async (_, quirks, ids = ["x1", "x2", "x3"]) => {
    expect(await withQuirks(quirks)).toEqual({ reply: clean, ids, notices: [] });
  });

  it("marks neither the end nor the reason for it, with a notice", async () => {
    const { reply, notices } = await withQuirks({ finish: "absent", done: false });
    expect({ reply, notices }).toEqual({ reply: clean, notices: ["end_unmarked"] });
  });

  it("has any of these ways at once", async () => {
    const quirks = fc.record({
      index: fc.constantFrom("right", "zero", "absent"),
      ids: fc.constantFrom("first", "every", "blank_later", "empty", "absent", "same"),
      names: fc.constantFrom("first", "every", "blank_later"),
      arguments: fc.constantFrom("pieces", "whole", "object"),
      twice: fc.boolean(),
      type: fc.boolean(),
      role: fc.boolean(),
      nulls: fc.boolean(),
      content: fc.constantFrom("text", "parts"),
      finish: fc.constantFrom("right", "stop", "function_call", "absent"),
      usage: fc.constantFrom("last", "with_finish", "every"),
      recap: fc.boolean(),
      choices: fc.constantFrom(1, 2),
      done: fc.boolean(),
      eol: fc.constantFrom("\n", "\r\n", "\r"),
      space: fc.boolean(),
      comments: fc.boolean(),
      stream: fc.boolean(),
    }) satisfies fc.Arbitrary<Partial<Quirks>>;
    // Without id and index nothing tells a call sent twice from two calls.
    const tellable = quirks.filter(
      ({ twice, ids, index }) => !(twice && index === "absent" && (ids === "empty" || ids === "absent")),
    );
    await fc.assert(
      fc.asyncProperty(tellable, async (quirks) => {
        const { reply, ids } = await withQuirks(quirks);
        // Beside a piece of an answer whose end nobody marks, a report may be of what there was so far.
        const open = !quirks.done && quirks.stream && quirks.finish === "absent" && quirks.usage !== "last";
        expect(reply).toEqual(open ? { ...clean, usage: { ...clean.usage, estimated: true } } : clean);
        expect(new Set(ids).size).toBe(3);
      }),
      { numRuns: 300 },
    );
  });
});

describe("reasoning", () => {
  it.each(["reasoning_content", "reasoning", "reasoning_details"] as const)("under the name %s", async (name) => {
    const [one] = await heard([reply([think("Hm, well…"), say("Yes.")], { usage, quirks: { reasoning: name } })]);
    const text = "Hm, well…";
    const raw = { [name]: name === "reasoning_details" ? [{ type: "reasoning.text", text }] : text };
    expect(one?.reply.message.content).toEqual([
      { type: "opaque", raw },
      { type: "text", text: "Yes." },
    ]);
    expect(one?.deltas).toEqual([
      { type: "progress", text },
      { type: "text", text: "Yes." },
    ]);
  });
});

const choice = (delta: object, finish_reason: string | null = null): object => ({
  choices: [{ index: 0, delta, finish_reason }],
});

describe("thoughts in the text", () => {
  const texts: [content: string, thought: string, said: string][] = [
    ["<think>Hm, <b>…</think>\n\nYes.", "Hm, <b>…", "Yes."],
    ["\n<think>\n</think>\n\nYes.", "\n", "Yes."],
    ["<thought>Hm.</thought>Yes.", "Hm.", "Yes."],
    ["[THINK]Hm.[/THINK]Yes. </think>", "Hm.", "Yes. </think>"],
    ["<think>It never ends", "It nev", "<think>It never ends"],
    ["<thinker>Yes.", "", "<thinker>Yes."],
    ["<th", "", "<th"],
    ["Yes: <think>a</think>", "", "Yes: <think>a</think>"],
  ];

  it.each(texts)("are parted from what is said: %j", async (content, thought, said) => {
    const whole = [say(content)];
    const letters = Array.from(content, (letter) => rawChunk(choice({ content: letter })));
    for (const [one] of [await heard([reply(whole, { usage })]), await heard([reply(letters, { usage })])]) {
      expect(one?.reply.message.content).toEqual([
        ...(thought === "" ? [] : [{ type: "opaque", raw: { reasoning_content: thought } }]),
        { type: "text", text: said },
      ]);
      const told = one?.deltas.map((delta) => [delta.type, "text" in delta ? delta.text : ""]);
      const of = (type: string): string | undefined =>
        told?.flatMap(([kind, text]) => (kind === type ? [text] : [])).join("");
      expect([of("progress"), of("text")]).toEqual([thought, said]);
    }
  });

  it("that the limit cut off are no answer", async () => {
    const [one] = await heard([reply(say("<think>It goes on"), { usage, finish: "length" })]);
    expect(one?.reply).toMatchObject({ stop: "max_tokens", message: { content: [{ type: "opaque" }] } });
  });
});

describe("calls in the text", () => {
  it.each([
    'I look.\n<tool_call>\n{"name": "read", "arguments": {"path": "a"}}\n</tool_call>',
    "<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>",
    "<function=search></function>",
    '[TOOL_CALLS][{"name": "read", "arguments": {"path": "a"}}]',
    '<|python_tag|>{"name": "read", "parameters": {}}',
    '<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"path":"a"}',
    '```json\n{"name": "read", "arguments": {"path": "a"}}\n```',
  ])("are a failure that says what the server lacks: %j", async (content) => {
    const [one] = await heard([reply(say(content), { usage })]);
    expect(one?.reply).toMatchObject({
      stop: { failed: { code: "E_CALLS_IN_TEXT" } },
      message: { content: [{ type: "text", text: content }] },
    });
  });

  it.each([
    'Qwen writes `<tool_call>{"name": "read"}</tool_call>` for it, as its template says.',
    '{"name": "other", "arguments": {}}',
    '{"path": "read"}',
    "Call `read` <b>now</b>",
  ])("are told from an answer that speaks of them: %j", async (content) => {
    expect((await heard([reply(say(content), { usage })]))[0]?.reply.stop).toBe("end_turn");
  });
});

describe("arguments that are no JSON object", () => {
  it.each([
    ["", {}, undefined],
    [
      '{"command":"rm -rf /tmp/x',
      undefined,
      "The input is not valid JSON: Unterminated string in JSON at position 25.",
    ],
    ['{"a":1,}', undefined, "The input is not valid JSON: Expected double-quoted property name in JSON at position 7."],
    ["[]", undefined, "The input must be one JSON object, but it is an array."],
    ['"str"', undefined, "The input must be one JSON object, but it is a string."],
    [
      '{"a":1}{"b":2}',
      undefined,
      "The input is not valid JSON: Unexpected non-whitespace character after JSON at position 7.",
    ],
  ])("%j", async (json, input, problem) => {
    const [one] = await heard([reply(rawCall("read", json), { usage })]);
    const id = "call_1_1";
    expect(one?.reply.message.content).toEqual([{ type: "tool_use", id, name: "read", input: input ?? json }]);
    const problems = [...(one?.reply.badInputs ?? [])].map(([id, text]) => [id, text.replace(/ \(line .*\)/, "")]);
    expect(problems).toEqual(problem === undefined ? [] : [[id, problem]]);
  });
});

describe("pieces of calls", () => {
  const piece = (index: number, json: string, id?: string, name?: string): object =>
    choice({ tool_calls: [{ index, id, function: { name, arguments: json } }] });

  it("may come in turns", async () => {
    const chunks = [
      piece(0, '{"path":', "a", "read"),
      piece(1, '{"path":', "b", "read"),
      piece(0, '"1"}'),
      piece(1, '"2"}'),
    ];
    const [one] = await heard([reply([...chunks.map(rawChunk), call("search", {})], { quirks: { index: "absent" } })]);
    expect(one?.reply.message.content).toEqual([
      { type: "tool_use", id: "a", name: "read", input: { path: "1" } },
      { type: "tool_use", id: "b", name: "read", input: { path: "2" } },
      { type: "tool_use", id: "call_1_5", name: "search", input: {} },
    ]);
  });

  it("may have a name that comes late, a new id each, or nothing to say", async () => {
    const chunks = [piece(0, "", "a", ""), piece(0, '{"path":', "a", "read"), piece(0, '"1"}', "b"), piece(1, "", "c")];
    const [one] = await heard([reply(chunks.map(rawChunk), { finish: "tool_calls" })]);
    expect(one?.reply.message.content).toEqual([{ type: "tool_use", id: "a", name: "read", input: { path: "1" } }]);
  });

  it.each<[string, object[], { id: string; name: string; input: object }[]]>([
    [
      "a call without input, then one of another id",
      [piece(0, "", "a", "read"), piece(0, '{"path":"1"}', "b", "read")],
      [
        { id: "a", name: "read", input: {} },
        { id: "b", name: "read", input: { path: "1" } },
      ],
    ],
    [
      "a call without input, then one of another tool",
      [piece(0, "", undefined, "search"), piece(0, '{"path":"1"}', undefined, "read")],
      [
        { id: "call_1", name: "search", input: {} },
        { id: "call_2", name: "read", input: { path: "1" } },
      ],
    ],
    [
      "an id that comes late",
      [piece(0, '{"path":', undefined, "read"), piece(0, '"1"}', "a", "read")],
      [{ id: "call_1", name: "read", input: { path: "1" } }],
    ],
    [
      "one id for calls that take turns",
      [piece(0, '{"path":', "a", "read"), piece(1, '{"path":', "a", "read"), piece(0, '"1"}'), piece(1, '"2"}')],
      [
        { id: "a", name: "read", input: { path: "1" } },
        { id: "a_1", name: "read", input: { path: "2" } },
      ],
    ],
  ])("are told apart: %s", async (_, chunks, calls) => {
    const [one] = await heard([reply(chunks.map(rawChunk), { finish: "tool_calls" })]);
    expect(one?.reply.message.content).toEqual(calls.map((call) => ({ type: "tool_use", ...call })));
    expect(one?.reply.badInputs).toEqual(new Map());
  });

  it("may be those of the old function_call", async () => {
    const chunks = [
      choice({ function_call: { name: "read", arguments: "" } }),
      choice({ function_call: { arguments: '{"path":' } }),
      choice({ function_call: { arguments: '"1"}' } }),
    ];
    const [one] = await heard([reply(chunks.map(rawChunk), { finish: "function_call" })]);
    expect(one?.reply.stop).toBe("tool_use");
    expect(one?.reply.message.content).toEqual([
      { type: "tool_use", id: "call_1", name: "read", input: { path: "1" } },
    ]);
  });
});

describe("the end", () => {
  const ended = async (answer: ChatReply): Promise<unknown> => (await heard([answer]))[0]?.reply.stop;

  it.each([
    ["stop", "end_turn"],
    ["eos_token", "end_turn"],
    ["length", "max_tokens"],
    ["content_filter", "refusal"],
    ["tea_time", { unknown: "tea_time" }],
  ])("%s means %j", async (finish, stop) => {
    expect(await ended(reply(say("Well"), { finish }))).toEqual(stop);
  });

  it("at the limit leaves the call as far as it came", async () => {
    const [one] = await heard([reply(rawCall("read", '{"path":"a'), { finish: "length", usage })]);
    expect(one?.reply.stop).toBe("max_tokens");
    expect([...(one?.reply.badInputs.keys() ?? [])]).toEqual(["call_1_1"]);
  });

  it("may be a refusal in words", async () => {
    const [one] = await heard([
      reply([rawChunk(choice({ refusal: "I can not " })), rawChunk(choice({ refusal: "do that." }))], { usage }),
    ]);
    expect(one).toMatchObject({
      reply: { stop: "refusal", message: { content: [] } },
      deltas: [{ type: "notice", code: "refusal", text: "I can not do that." }],
    });
  });
});

describe("usage", () => {
  it("that is not reported is an estimate, and said to be one", async () => {
    const [one] = await heard([
      reply([think("12345678"), say("12345678"), call("read", { a: 1 })], { quirks: { usage: "absent" } }),
    ]);
    expect(one?.reply.usage).toEqual({
      input: expect.any(Number),
      cacheRead: 0,
      cacheWrite: 0,
      output: 6,
      estimated: true,
    });
    expect(one?.reply.usage.input).toBeGreaterThan(50);
    expect(one?.deltas.at(-1)).toEqual({
      type: "notice",
      code: "usage_estimated",
      text: "The server reports no usage; the tokens are an estimate.",
    });
  });
});
