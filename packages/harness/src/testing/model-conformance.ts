/**
 * What every model owes the loop, as a list of cases that throw where it is not so. No test framework is needed: give
 * each case a way to make a model that plays a small neutral script, and run it as a test of whichever runner is at
 * hand.
 */

import assert from "node:assert/strict";
import {
  type Message,
  originOf,
  textOf,
  type ToolResultBlock,
  toolUsesOf,
  type Usage,
  type UserMessage,
} from "../message.ts";
import { failureIn, type Delta, type Model, type ModelRequest, type Reply } from "../model/model.ts";
import { call, say, think, type Part } from "../model/scripted.ts";

/** One reply as the script has it. A call whose input is text stands for input that the model wrote as that text. */
export type Act = {
  parts: readonly Part[];
  /**
   * How it ends, if not well. cut: the connection breaks after some 3,000 bytes; the parts are longer. overloaded: the
   * service is, before it says anything. silent: nothing more comes, perhaps after some of the parts.
   */
  end?: "max_tokens" | "refusal" | "cut" | "overloaded" | "silent" | undefined;
  /** What the service counts. */
  usage?: Usage | undefined;
};

/**
 * Makes a model that replies with these acts in order, as strictly as its service would; `close` ends all it opened.
 */
export type PlayModel = (acts: readonly Act[]) => Promise<{ model: Model; close: () => Promise<void> }>;

export type ConformanceCase = { name: string; run: (play: PlayModel) => Promise<void> };

type Outcome = { reply: Reply; deltas: readonly Delta[] };
type Ask = (...messages: readonly Message[]) => Promise<Outcome>;

const user = (...content: UserMessage["content"]): UserMessage => ({ role: "user", content });
const hello = user({ type: "text", text: "Hello" });

const tools = ["look", "find"].map((name) => ({ name, description: "", schema: { type: "object" } }));
const requestOf = (messages: readonly Message[]): ModelRequest =>
  frozen({ system: [{ type: "text", text: "Be brief." }], tools, messages, maxTokens: 1000 });

/** A case that plays some acts and asks with a signal that never fires. */
function scene(
  name: string,
  acts: readonly (Act | Part)[],
  check: (ask: Ask, model: Model) => Promise<void>,
): ConformanceCase {
  const run = async (play: PlayModel): Promise<void> => {
    const { model, close } = await play(acts.map((act) => ("parts" in act ? act : { parts: [act] })));
    try {
      await check((...messages) => heard(model, messages, new AbortController().signal), model);
    } finally {
      await close();
    }
  };
  return { name, run };
}

async function heard(
  model: Model,
  messages: readonly Message[],
  signal: AbortSignal,
  onDelta?: () => void,
): Promise<Outcome> {
  const deltas: Delta[] = [];
  const sink = (delta: Delta): void => {
    deltas.push(delta);
    onDelta?.();
  };
  return { reply: await model.respond(requestOf(messages), sink, signal), deltas };
}

const long = "A line of some length, so that it comes in many pieces.\n".repeat(100);
const hard = 'naïve 🙂‍↕️ “quotes” \\ " \u0000 \u2028 \t\r\n שלום ￿ e\u0301 [DONE] data: {}\n\n';

/** The cases. */
export const modelConformance: readonly ConformanceCase[] = [
  scene(
    "text arrives as deltas and as the message, signed by its origin",
    [say("Good day to you.")],
    async (ask, model) => {
      const { reply, deltas } = await ask(hello);
      assert.equal(reply.stop, "end_turn");
      assert.deepEqual(reply.message.origin, originOf(model.id));
      assert.equal(textOf(reply.message), "Good day to you.");
      assert.equal(streamed(deltas), "Good day to you.");
      assert.equal(reply.badInputs.size, 0);
    },
  ),

  scene("text of any kind comes through unchanged", [say(hard), say(long)], async (ask) => {
    const first = await ask(hello);
    assert.equal(textOf(first.reply.message), hard);
    assert.equal(streamed(first.deltas), hard);
    const second = await ask(hello, first.reply.message, user({ type: "text", text: hard }));
    assert.equal(textOf(second.reply.message), long);
  }),

  scene("a long text comes whole", [say(long.repeat(40))], async (ask) => {
    const { reply, deltas } = await ask(hello);
    assert.equal(textOf(reply.message), long.repeat(40));
    assert.equal(streamed(deltas), long.repeat(40));
  }),

  scene(
    "thinking is progress, no text, and may go back",
    [{ parts: [think("Well, well."), say("Yes.")] }, say("No.")],
    async (ask) => {
      const { reply, deltas } = await ask(hello);
      assert.equal(textOf(reply.message), "Yes.");
      assert.equal(streamed(deltas), "Yes.");
      assert.equal(textIn(deltas, "progress"), "Well, well.");
      assert.equal(textOf((await ask(hello, reply.message, hello)).reply.message), "No.");
    },
  ),

  scene(
    "a call has an id, a name and its input, and can be answered",
    [call("look", { at: hard }), say("I see.")],
    async (ask) => {
      const { reply, deltas } = await ask(hello);
      assert.equal(reply.stop, "tool_use");
      const [made, ...more] = toolUsesOf(reply.message);
      assert.equal(more.length, 0);
      assert.deepEqual([made?.name, made?.input], ["look", { at: hard }]);
      assert.ok(made?.id, "the call has no id");
      const named = deltas.filter((delta) => delta.type === "tool_input");
      assert.ok(named.length > 0 && named.every(({ id, name }) => id === made.id && name === "look"));
      const next = await ask(hello, reply.message, answers(reply));
      assert.deepEqual([next.reply.stop, textOf(next.reply.message)], ["end_turn", "I see."]);
    },
  ),

  scene(
    "several calls keep their order and have ids of their own, over several steps",
    [
      { parts: [say("Both."), call("look", {}), call("find", { list: [1, { deep: null }] })] },
      call("look", {}),
      say("Done."),
    ],
    async (ask) => {
      const first = (await ask(hello)).reply;
      assert.deepEqual(
        toolUsesOf(first.message).map(({ name, input }) => [name, input]),
        [
          ["look", {}],
          ["find", { list: [1, { deep: null }] }],
        ],
      );
      const second = (await ask(hello, first.message, answers(first))).reply;
      const ids = [first, second].flatMap(({ message }) => toolUsesOf(message)).map(({ id }) => id);
      assert.equal(new Set(ids).size, 3);
      const third = (await ask(hello, first.message, answers(first), second.message, answers(second))).reply;
      assert.deepEqual([third.stop, textOf(third.message)], ["end_turn", "Done."]);
    },
  ),

  ...['{"at":"here', '{"at":1}{"at":2}', "[]", '"here"'].map((input) =>
    scene(`the input ${input} is bad, kept, and can be answered`, [call("look", input), say("Sorry.")], async (ask) => {
      const { reply } = await ask(hello);
      assert.equal(reply.stop, "tool_use");
      const ids = toolUsesOf(reply.message).map(({ id }) => id);
      assert.deepEqual([ids.length, [...reply.badInputs.keys()]], [1, ids]);
      assert.ok(reply.badInputs.get(ids[0] ?? "")?.trim(), "the bad input has no reason");
      const next = await ask(hello, reply.message, answers(reply));
      assert.equal(textOf(next.reply.message), "Sorry.");
    }),
  ),

  scene(
    "a cut stream is a failure that may pass; its text is kept",
    [{ parts: [say(long)], end: "cut" }],
    async (ask) => {
      const { reply, deltas } = await ask(hello);
      assertPassing(reply);
      assert.ok(long.startsWith(textOf(reply.message)));
      assert.equal(textOf(reply.message), streamed(deltas));
    },
  ),

  scene(
    "of a cut stream no call is kept, half or whole",
    [
      { parts: [call("look", { at: long })], end: "cut" },
      { parts: [call("look", {}), say(long)], end: "cut" },
    ],
    async (ask) => {
      for (const _ of [1, 2]) {
        const { reply } = await ask(hello);
        assertPassing(reply);
        assert.deepEqual([toolUsesOf(reply.message), reply.badInputs.size], [[], 0]);
      }
    },
  ),

  scene(
    "an overloaded service is a failure that may pass",
    [{ parts: [], end: "overloaded" }, say("Back.")],
    async (ask) => {
      const { reply } = await ask(hello);
      assertPassing(reply);
      assert.deepEqual(reply.message.content, []);
      assert.equal(textOf((await ask(hello)).reply.message), "Back.");
    },
  ),

  scene("a refusal is a stop of its own", [{ parts: [say("I would rather not.")], end: "refusal" }], async (ask) => {
    assert.equal((await ask(hello)).reply.stop, "refusal");
  }),

  scene(
    "the output limit is a stop of its own, in text and in a call",
    [
      { parts: [say("To be conti")], end: "max_tokens" },
      { parts: [say("And so"), call("look", '{"at":"he')], end: "max_tokens" },
    ],
    async (ask) => {
      const first = (await ask(hello)).reply;
      assert.deepEqual([first.stop, textOf(first.message)], ["max_tokens", "To be conti"]);
      const second = (await ask(hello)).reply;
      assert.deepEqual([second.stop, textOf(second.message)], ["max_tokens", "And so"]);
    },
  ),

  scene(
    "usage is what the service counted",
    [
      { parts: [say("One.")], usage: { input: 100, cacheRead: 0, cacheWrite: 0, output: 7 } },
      { parts: [say("Two.")], usage: { input: 20, cacheRead: 90, cacheWrite: 0, output: 8 } },
    ],
    async (ask) => {
      assert.deepEqual((await ask(hello)).reply.usage, { input: 100, cacheRead: 0, cacheWrite: 0, output: 7 });
      assert.deepEqual((await ask(hello)).reply.usage, { input: 20, cacheRead: 90, cacheWrite: 0, output: 8 });
    },
  ),

  scene(
    "an abort ends a silent reply, and the model can be asked again",
    [{ parts: [say(long)], end: "silent" }, say("Still here.")],
    async (ask, model) => {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), 200);
      try {
        const { reply } = await heard(model, [hello], controller.signal, () => controller.abort());
        assert.equal(reply.stop, "aborted");
        assert.deepEqual(toolUsesOf(reply.message), []);
      } finally {
        clearTimeout(timer);
      }
      assert.equal(textOf((await ask(hello)).reply.message), "Still here.");
    },
  ),

  scene("a signal that fired before is an abort", [say("Too late.")], async (_, model) => {
    const { reply, deltas } = await heard(model, [hello], AbortSignal.abort());
    assert.deepEqual([reply.stop, reply.message.content, deltas], ["aborted", [], []]);
  }),
];

function textIn(deltas: readonly Delta[], type: "text" | "progress"): string {
  return deltas.map((delta) => (delta.type === type ? delta.text : "")).join("");
}

function streamed(deltas: readonly Delta[]): string {
  return textIn(deltas, "text");
}

/** One result for each call of a reply. */
function answers({ message, badInputs }: Reply): UserMessage {
  return user(
    ...toolUsesOf(message).map(({ id }): ToolResultBlock => ({
      type: "tool_result",
      toolUseId: id,
      content: [{ type: "text", text: badInputs.get(id) ?? "nothing" }],
      isError: badInputs.has(id),
    })),
  );
}

function assertPassing({ stop }: Reply): void {
  const failed = failureIn(stop);
  assert.ok(failed !== undefined, `not a failure: ${JSON.stringify(stop)}`);
  assert.notEqual(failed.retryAfterMs, undefined, `not one that may pass: ${failed.message}`);
}

/** A request nobody can change: what is sent again must be what was sent before. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
