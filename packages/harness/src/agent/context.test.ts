import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AssistantMessage, Message, ToolResultBlock, UserMessage } from "../message.ts";
import { viewOf } from "./context.ts";

const origin = { provider: "mock", model: "one" };
const recipient = { tools: [{ name: "read" }], model: "mock/one", images: true, turnStart: Infinity };

const user = (...content: UserMessage["content"]): UserMessage => ({ role: "user", content });
const assistant = (...content: AssistantMessage["content"]): AssistantMessage => ({
  role: "assistant",
  content,
  origin,
});
const text = (words: string): { type: "text"; text: string } => ({ type: "text", text: words });
const call = (id: string, name = "read", input: unknown = {}) => ({ type: "tool_use" as const, id, name, input });
const result = (toolUseId: string, words = "ok"): ToolResultBlock => ({
  type: "tool_result",
  toolUseId,
  content: [text(words)],
  isError: false,
});

describe("the view of a session", () => {
  it("is the session itself, block by block, where nothing needs repair", () => {
    const messages = [
      user(text("why")),
      assistant(text("let me look"), call("a")),
      user(result("a")),
      assistant(text("so")),
    ];
    const view = viewOf(messages, recipient);
    expect(view).toEqual(messages);
    const blocks = (of: readonly Message[]): unknown[] => of.flatMap(({ content }): unknown[] => content);
    const sent = blocks(view);
    expect(blocks(messages).every((block, index) => block === sent[index])).toBe(true);
  });

  it("answers a call that was interrupted, at once and before anything else is said", () => {
    const view = viewOf(
      [user(text("go")), assistant(call("a"), call("b")), user(result("b")), user(text("go on"))],
      recipient,
    );
    expect(view.at(-1)).toEqual(
      user(
        {
          type: "tool_result",
          toolUseId: "a",
          content: [text("This call was interrupted; it has no result.")],
          isError: true,
        },
        result("b"),
        text("go on"),
      ),
    );
  });

  it("answers a call once, drops results nobody asked for, and puts results before other words", () => {
    const view = viewOf(
      [
        user(text("go")),
        assistant(call("a")),
        user(text("by the way"), result("x"), result("a", "1"), result("a", "2")),
      ],
      recipient,
    );
    expect(view.at(-1)).toEqual(user(result("a", "1"), text("by the way")));
  });

  it("drops empty text and messages that hold nothing else, and joins what a user said twice", () => {
    const view = viewOf([user(text("one")), assistant(text(" \n")), user(text("")), user(text("two"))], recipient);
    expect(view).toEqual([user(text("one"), text("two"))]);
  });

  it("fills a result that holds nothing", () => {
    const empty = { ...result("a"), content: [] };
    expect(viewOf([user(text("go")), assistant(call("a")), user(empty)], recipient).at(-1)).toEqual(
      user(result("a", "(empty)")),
    );
  });

  it("gives opaque blocks back to their origin alone", () => {
    const opaque = { type: "opaque" as const, raw: { type: "thinking", signature: "x" } };
    const messages = [user(text("go")), assistant(opaque, text("hm"))];
    expect(viewOf(messages, recipient)).toEqual(messages);
    expect(viewOf(messages, { ...recipient, model: "mock/two" })).toEqual([user(text("go")), assistant(text("hm"))]);
  });

  it("tells calls of a tool that is gone as text, so that the history stays sendable", () => {
    const view = viewOf(
      [user(text("go")), assistant(call("a", "gone", { x: 1 })), user(result("a", "found"))],
      recipient,
    );
    expect(view).toEqual([
      user(text("go")),
      assistant(text('(called "gone", which is not a tool here, with {"x":1})')),
      user(text('(answer to the call of "gone": found)')),
    ]);
  });

  it("gives back an invented call of the present turn as it was, with its error", () => {
    const messages = [user(text("go")), assistant(call("a", "invented")), user(result("a", "no such tool"))];
    expect(viewOf(messages, { ...recipient, turnStart: 0 })).toEqual(messages);
  });

  it("gives back a call that was made up to who did so, in later turns too, and tells it to another as text", () => {
    const messages = [user(text("go")), assistant(call("a", "invented")), user(result("a", "no such tool"))];
    const offered = new Set(["read", "gone"]);
    expect(viewOf(messages, { ...recipient, offered })).toEqual(messages);
    expect(viewOf(messages, { ...recipient, offered, model: "mock/two" })[1]).toEqual(
      assistant(text('(called "invented", which is not a tool here, with {})')),
    );
  });

  it("gives calls that have the same id ids of their own, and their results with them", () => {
    const again = [assistant(call("a")), user(result("a", "1"))];
    expect(viewOf([user(text("go")), ...again, ...again], recipient)).toEqual([
      user(text("go")),
      ...again,
      assistant(call("a_2")),
      user(result("a_2", "1")),
    ]);
    const odd = [user(text("go")), assistant(call("f.read:0")), user(result("f.read:0"))];
    expect(viewOf(odd, { ...recipient, model: "mock/two" }).slice(1)).toEqual([
      assistant(call("f_read_0")),
      user(result("f_read_0")),
    ]);
  });

  it("replaces lone surrogates wherever they stand", () => {
    const view = viewOf(
      [user(text("a\ud800")), assistant(call("a", "read", { "k\udc00": ["\ud800"] })), user(result("a", "\udfff"))],
      recipient,
    );
    expect(JSON.stringify(view)).not.toMatch(/\\ud/);
    expect(view[1]).toEqual(assistant(call("a", "read", { "k\ufffd": ["\ufffd"] })));
  });

  it("leaves thinking out that holds a lone surrogate: repaired, it would not be what was signed", () => {
    const thinking = { type: "opaque" as const, raw: { type: "thinking", thinking: "\ud800", signature: "x" } };
    const view = viewOf([user(text("go")), assistant(thinking, text("hm"))], recipient);
    expect(view).toEqual([user(text("go")), assistant(text("hm"))]);
  });

  it("can be sent, whatever the session holds", () => {
    const id = fc.constantFrom("a", "b", "c");
    const words = fc.oneof(fc.constant(""), fc.constant(" "), fc.string({ unit: "binary" }));
    const said = fc.oneof(
      words.map(text),
      fc.record({ id, words }).map((r) => result(r.id, r.words)),
    );
    const replied = fc.oneof(
      words.map(text),
      fc.record({ id, name: fc.constantFrom("read", "gone") }).map((c) => call(c.id, c.name)),
    );
    const message: fc.Arbitrary<Message> = fc.oneof(
      fc.array(said).map((content) => user(...content)),
      fc.array(replied).map((content) => assistant(...content)),
    );
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        expect(faultsOf(viewOf(messages, recipient))).toEqual([]);
      }),
    );
  });
});

/** What a strict server would object to. */
function faultsOf(messages: readonly Message[]): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.content.length === 0) faults.push("empty message");
    if (message.role === "user" && messages[index - 1]?.role === "user") faults.push("two user messages in a row");
    for (const block of message.content) {
      if (block.type === "text" && block.text.trim() === "") faults.push("empty text");
      if (block.type === "tool_use" && block.name !== "read") faults.push("unknown tool");
    }
    const previous = messages[index - 1];
    const asked = previous?.role === "assistant" ? previous.content.filter((block) => block.type === "tool_use") : [];
    const kinds = message.content.map(({ type }) => type);
    for (const { id } of asked) {
      if (seen.has(id)) faults.push("the same id twice");
      seen.add(id);
    }
    const answered = message.content.filter((block) => block.type === "tool_result").map((block) => block.toolUseId);
    if (message.role === "user" && answered.join() !== asked.map((block) => block.id).join()) faults.push("answers");
    if (message.role === "assistant" && asked.length > 0) faults.push("unanswered");
    if (kinds.lastIndexOf("tool_result") >= answered.length) faults.push("results after other content");
  }
  if (messages[0]?.role === "assistant") faults.push("a reply at the start");
  const last = messages.at(-1);
  if (last?.role === "assistant" && last.content.some((block) => block.type === "tool_use")) faults.push("unanswered");
  return faults;
}
