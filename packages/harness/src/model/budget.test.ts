import fc from "fast-check";
import { expect, test } from "vitest";
import { Failure } from "../error.ts";
import type { Message, UserMessage } from "../message.ts";
import { dollarBudget, type BudgetOptions } from "./budget.ts";
import { failureIn, type Delta, type Model, type ModelRequest, type Reply } from "./model.ts";
import { costOf } from "./price.ts";
import { promptBound } from "./prompt-bound.ts";
import { cutAfter, fail, say, scripted, using, type ScriptedReply } from "./scripted.ts";

const never = new AbortController().signal;
const id = "anthropic/claude-opus-5-5";
/** A dollar a token of output, a cent a token of prompt: easy to count. */
const priceOf: BudgetOptions["priceOf"] = () => ({ input: 10_000, cacheRead: 1000, cacheWrite: 10_000, output: 1e6 });

function user(text: string): UserMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

function asked(maxTokens: number, ...messages: Message[]): ModelRequest {
  return { system: [], tools: [], messages, maxTokens };
}

function model(...script: ScriptedReply[]): Model {
  return scripted(script, { id });
}

function codeOf({ stop }: Reply): string {
  return failureIn(stop)?.code ?? JSON.stringify(stop);
}

test.each([
  [id, { input: 1e6, cacheRead: 0, cacheWrite: 0, output: 0 }, 4],
  [id, { input: 0, cacheRead: 1e6, cacheWrite: 1e6, output: 1e6 }, 25.2],
  [`${id}-20261001`, { input: 0, cacheRead: 0, cacheWrite: 0, output: 1e6 }, 20],
  ["offline", { input: 1e6, cacheRead: 0, cacheWrite: 0, output: 1e6 }, 0],
  ["other/model", { input: 1, cacheRead: 0, cacheWrite: 0, output: 0 }, undefined],
])("the price of %s", (name, usage, dollars) => {
  expect(costOf(name, usage)).toBe(dollars);
});

test("a model without a price is refused, and never asked", async () => {
  const inner = scripted(() => expect.unreachable("asked"), { id: "other/model" });
  expect(codeOf(await dollarBudget(5)(inner).respond(asked(10, user("Hi")), () => undefined, never))).toBe(
    "E_NO_PRICE",
  );
});

test("cached tokens count towards the ceiling", async () => {
  const expensive = using({ cacheRead: 1_000_000, cacheWrite: 100_000, output: 10 }, say("Hi."));
  const capped = dollarBudget(1)(model(expensive, say("Never.")));
  const request = asked(1024, user("Hi"));
  expect(codeOf(await capped.respond(request, () => undefined, never))).toBe('"end_turn"');
  const refused = await capped.respond(request, () => undefined, never);
  expect(codeOf(refused)).toBe("E_DOLLAR_BUDGET");
  expect(refused.usage).toEqual({ input: 0, cacheRead: 0, cacheWrite: 0, output: 0 });
});

test("output that could pass the ceiling is lowered, with a notice", async () => {
  const seen: number[] = [];
  const inner = scripted(
    ({ maxTokens }) => {
      seen.push(maxTokens);
      return say("Hi.");
    },
    { id },
  );
  const deltas: Delta[] = [];
  const prompt = (await promptBound()).worst(asked(0, user("Hi")));
  const limit = 2000 + prompt / 100;
  await dollarBudget(limit, { priceOf })(inner).respond(
    asked(64_000, user("Hi")),
    (delta) => deltas.push(delta),
    never,
  );
  expect(seen).toEqual([2000]);
  expect(deltas[0]).toEqual({
    type: "notice",
    code: "budget",
    text: `The reply is limited to 2000 tokens, so that it cannot pass the ceiling of $${limit}.`,
  });
});

test.each([
  ["a cut stream costs its worst case", cutAfter("Half"), "E_DOLLAR_BUDGET"],
  ["a reply without counters costs its worst case", say("Hi."), "E_DOLLAR_BUDGET"],
  [
    "a reply whose counters are an estimate costs its worst case",
    using({ input: 1, output: 1, estimated: true }, say("Hi.")),
    "E_DOLLAR_BUDGET",
  ],
  [
    "a failure that came with counters costs its worst case",
    using({ input: 1 }, fail(new Failure("E_OVERLOADED", ""))),
    "E_DOLLAR_BUDGET",
  ],
  ["an aborted reply costs its worst case", using({ input: 1 }, { parts: [], stop: "aborted" }), "E_DOLLAR_BUDGET"],
  ["a refusal before the stream costs nothing", fail(new Failure("E_OVERLOADED", "")), '"end_turn"'],
  [
    "a service that failed after it had begun to answer costs its worst case, counted or not",
    { parts: [say("Half")], stop: { failed: new Failure("E_OVERLOADED", "") } },
    "E_DOLLAR_BUDGET",
  ],
  ["a reply whose prompt was not counted costs its worst case", using({ output: 1 }, say("Hi.")), "E_DOLLAR_BUDGET"],
  ["a reply whose words were not counted costs its worst case", using({ input: 1 }, say("Hi.")), "E_DOLLAR_BUDGET"],
  ["a counted reply costs what was counted", using({ input: 1, output: 1 }, say("Hi.")), '"end_turn"'],
])("%s", async (_, first, second) => {
  const capped = dollarBudget(1100 + 12 * 2, { priceOf })(model(first, say("Second.")));
  const request = asked(1050, user("Hi"));
  await capped.respond(request, () => undefined, never);
  expect(codeOf(await capped.respond(request, () => undefined, never))).toBe(second);
});

test("a refusal says how much of what is gone was never counted", async () => {
  const capped = dollarBudget(2000, { priceOf })(model(cutAfter("Half"), say("Never.")));
  const request = asked(1990, user("Hi"));
  await capped.respond(request, () => undefined, never);
  const { stop } = await capped.respond(request, () => undefined, never);
  expect(JSON.stringify(stop)).toMatch(/\$199\d\.\d{4} are the worst case of replies that came without a count\./);
});

test("a refusal where all was counted says nothing of the kind", async () => {
  const capped = dollarBudget(1100, { priceOf })(model(using({ input: 1, output: 99 }, say("Hi.")), say("Never.")));
  await capped.respond(asked(1024, user("Hi")), () => undefined, never);
  const { stop } = await capped.respond(asked(1024, user("Hi")), () => undefined, never);
  expect(JSON.stringify(stop)).toMatch(/of it are left\."/);
});

test("models under one ceiling share it, even at the same time", async () => {
  const ceiling = dollarBudget(1600, { priceOf });
  const both = [ceiling(model(say("A."))), ceiling(model(say("B.")))];
  const replies = await Promise.all(both.map((one) => one.respond(asked(1024, user("Hi")), () => undefined, never)));
  expect(replies.map(codeOf)).toEqual(['"end_turn"', "E_DOLLAR_BUDGET"]);
});

test("the worst case of a prompt is the dearest way to take it, whichever that is", async () => {
  const dear: BudgetOptions["priceOf"] = () => ({ input: 1, cacheRead: 1e6, cacheWrite: 1, output: 1 });
  const capped = dollarBudget(1000, { priceOf: dear })(model(say("Never.")));
  expect(codeOf(await capped.respond(asked(1024, user("Hi")), () => undefined, never))).toBe("E_DOLLAR_BUDGET");
});

test("whoever asks is told what each request counts, its worst case where nobody counted it", async () => {
  const charges: number[] = [];
  const counted = using({ input: 1, output: 99 }, say("Hi."));
  const script = [counted, cutAfter("Half"), fail(new Failure("E_OVERLOADED", ""))];
  const onCharge = (dollars: number): void => void charges.push(Math.round(dollars));
  const capped = dollarBudget(5000, { priceOf, onCharge })(model(...script));
  const request = asked(1050, user("Hi"));
  for (let n = 0; n < 3; n += 1) await capped.respond(request, () => undefined, never);
  const worst = 1050 + (await promptBound()).worst(request) / 100;
  expect(charges).toEqual([99, expect.closeTo(worst, -2), 0]);
});

test("what a session spent before counts", async () => {
  const capped = dollarBudget(5, { spent: 4.99 })(model(say("Hi.")));
  expect(codeOf(await capped.respond(asked(1024, user("Hi")), () => undefined, never))).toBe("E_DOLLAR_BUDGET");
});

test("what is free is never refused", async () => {
  const capped = dollarBudget(0)(scripted([say("Hi.")]));
  expect(codeOf(await capped.respond(asked(64_000, user("Hi")), () => undefined, never))).toBe('"end_turn"');
});

test("the worst case of a prompt is a token a byte at first, and for what was added afterwards", async () => {
  const bound = await promptBound();
  const first = asked(10, user("Hello, how are you?"));
  const atFirst = bound.worst(first);
  expect(atFirst).toBeGreaterThanOrEqual(Buffer.byteLength(JSON.stringify(first.messages[0]?.content[0])));
  const message = { role: "assistant" as const, content: [say("Fine.")], origin: { provider: "", model: "m" } };
  const usage = { input: 3, cacheRead: 5000, cacheWrite: 7, output: 40 };
  const spoken: Reply = {
    message: { ...message, content: [{ type: "text", text: "Fine." }] },
    usage,
    stop: "end_turn",
    badInputs: new Map(),
  };
  bound.learn(first, spoken);
  const more = user("ü".repeat(100));
  const next = bound.worst(asked(10, ...first.messages, spoken.message, more));
  const added = Buffer.byteLength("user") + Buffer.byteLength(JSON.stringify(more.content[0]));
  expect(next).toBe(3 + 5000 + 7 + 40 + added + 1024);
});

test("what a service counted beyond the bytes of a prompt is expected of the next conversation too", async () => {
  const bound = await promptBound();
  const one = asked(10, user("Hello."));
  const other = asked(10, user("Good day."));
  const [before, beforeOther] = [bound.worst(one), bound.worst(other)];
  bound.learn(one, replied({ input: before + 500, output: 3 }));
  expect(bound.worst(other) - beforeOther).toBe(500);
});

test("conversations that take turns each go on from their own count", async () => {
  const bound = await promptBound();
  const long = user("x".repeat(10_000));
  const [one, other] = [asked(10, user("One."), long), asked(10, user("Two."), long)];
  for (const request of [one, other]) bound.learn(request, replied({ input: 2500, output: 3 }));
  const next = (request: ModelRequest): number =>
    bound.worst({ ...request, messages: [...request.messages, user("More.")] });
  expect([next(one) < 4000, next(other) < 4000]).toEqual([true, true]);
});

function replied(usage: Partial<Reply["usage"]>): Reply {
  const message = {
    role: "assistant" as const,
    content: [{ type: "text" as const, text: "Fine." }],
    origin: { provider: "", model: "m" },
  };
  return {
    message,
    usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, ...usage },
    stop: "end_turn",
    badInputs: new Map(),
  };
}

/** A service that bills a token a byte, and as much output as it is allowed: nothing can cost more. */
test("no conversation, however it goes, passes the ceiling", async () => {
  const step = fc.record({
    text: fc.string({ maxLength: 3000, unit: "grapheme" }),
    maxTokens: fc.integer({ min: 1, max: 50_000 }),
    output: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 30 }),
      fc.double({ min: 0.01, max: 3, noNaN: true }),
      async (steps, limit) => {
        let billed = 0;
        const inner = scripted(
          ({ messages, maxTokens }, n) => {
            const plan = steps[n - 1] ?? { output: 1, cut: false };
            const usage = {
              cacheWrite: Buffer.byteLength(JSON.stringify(messages)) >> 1,
              output: Math.floor(plan.output * maxTokens),
            };
            billed += costOf(id, { input: 0, cacheRead: 0, ...usage }) ?? 0;
            return plan.cut ? cutAfter("Half") : using(usage, say("Yes."));
          },
          { id },
        );
        const capped = dollarBudget(limit)(inner);
        const messages: Message[] = [];
        for (const { text, maxTokens } of steps) {
          messages.push(user(text));
          const { message, stop } = await capped.respond(asked(maxTokens, ...messages), () => undefined, never);
          if (stop === "end_turn") messages.push(message);
        }
        expect(billed).toBeLessThanOrEqual(limit);
      },
    ),
    { numRuns: 200 },
  );
});

test("an image counts its pixels' worth of tokens, not its bytes", async () => {
  const bound = await promptBound();
  const image = { type: "image" as const, mediaType: "image/png", base64: "A".repeat(5_000_000) };
  const result = { type: "tool_result" as const, toolUseId: "a", content: [image], isError: false };
  const worst = (...content: UserMessage["content"]): number => bound.worst(asked(1, { role: "user", content }));
  expect(worst(image) - worst({ ...image, base64: "" })).toBe(0);
  expect(worst(image, result) - worst()).toBeGreaterThan(2 * 50_000);
  expect(worst(image, result) - worst()).toBeLessThan(2 * 51_000);
});
