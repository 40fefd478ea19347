import fc from "fast-check";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { policyGate } from "../gate/rules.ts";
import type { Message } from "../message.ts";
import { chatCompletions } from "../model/chat-completions.ts";
import { call, say } from "../model/scripted.ts";
import { openAsk } from "../preset/ask.ts";
import { openLog } from "../session/log.ts";
import { startChatServer } from "../testing/chat-server/chat-server.ts";
import { resultLimitsFor, withoutOldResults } from "./old-results.ts";

const origin = { provider: "mock", model: "one" };

/** A conversation of so many calls, each with a result of some characters. */
function conversation(sizes: readonly number[]): Message[] {
  return sizes.flatMap((size, index): Message[] => [
    { role: "assistant", content: [{ type: "tool_use", id: `t${index}`, name: "read", input: {} }], origin },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          toolUseId: `t${index}`,
          content: [{ type: "text", text: "x".repeat(size) }],
          isError: false,
        },
      ],
    },
  ]);
}

/** How long each result is in what is sent. */
function sent(messages: readonly Message[]): number[] {
  return messages.flatMap((message) =>
    message.role === "assistant"
      ? []
      : message.content.map((block) => (block.type === "tool_result" ? JSON.stringify(block.content).length : 0)),
  );
}

const limits = { trigger: 1_000, keep: 2, keepTokens: 10_000, atLeast: 400 };

describe("old results of a long conversation", () => {
  it("stay while there is room", () => {
    const messages = conversation([1_000, 1_000, 1_000]);
    expect(withoutOldResults(messages, limits)).toBe(messages);
  });

  it("are replaced by a sentence beyond it, all but the latest, once that is worth the while", () => {
    const lengths = sent(withoutOldResults(conversation([1_200, 1_200, 1_200, 1_200]), limits));
    expect(lengths.map((length) => length > 1_000)).toEqual([false, false, true, true]);
    expect(withoutOldResults(conversation([400, 400, 4_000, 400]), limits)).toEqual(
      conversation([400, 400, 4_000, 400]),
    );
  });

  it("are fewer where they are long, but what the model has not seen yet stays", () => {
    const few = { ...limits, keep: 10, keepTokens: 700 };
    const long = sent(withoutOldResults(conversation([1_200, 1_200, 1_200, 1_200]), few)).map((one) => one > 1_000);
    expect(long).toEqual([false, false, true, true]);
    const unseen = sent(withoutOldResults(conversation([4_000, 12_000]), few)).map((one) => one > 1_000);
    expect(unseen).toEqual([false, true]);
  });

  it("stay left out: what is sent of a prompt that grows begins as before, until more is left out", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 40 }), (sizes) => {
        let before: readonly Message[] = [];
        let changes = 0;
        for (let count = 0; count <= sizes.length; count += 1) {
          const now = withoutOldResults(conversation(sizes.slice(0, count)), limits);
          if (JSON.stringify(now.slice(0, before.length)) !== JSON.stringify(before)) changes += 1;
          before = now;
        }
        // Each change frees at least `atLeast` tokens of all there are.
        expect(changes).toBeLessThanOrEqual(sizes.reduce((sum, size) => sum + size / 4, 0) / limits.atLeast);
      }),
    );
  });

  it("keep a run within a small context, and the log keeps everything", async () => {
    const folder = mkdtempSync(join(tmpdir(), "croft-old-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const steps = 30;
    writeFileSync(join(folder, "a.txt"), "a line of some length\n".repeat(400 * steps));
    const context = 30_000;
    const server = await startChatServer({
      script: (_, n) =>
        n <= steps ? call("read_file", { path: "a.txt", offset: n * 400 - 399 }, `t${n}`) : say("Done."),
    });
    const file = join(folder, "../", `${basename(folder)}.jsonl`);
    onTestFinished(() => rmSync(file));
    const session = openLog({ id: "test", file });
    const asking = openAsk({
      root: folder,
      gate: policyGate(),
      model: chatCompletions({ provider: "mock", model: "test", baseUrl: server.url, apiKey: "test-key", context }),
      session,
      budget: { steps: steps + 1, tokens: 100_000_000 },
      emit: () => {},
    });
    const { status } = await asking.ask("Read it.", new AbortController().signal);
    await asking.close();
    session.close();
    await server.close();
    expect([status, server.rejections]).toEqual(["done", []]);
    const longest = Math.max(...server.requests.map(({ body }) => JSON.stringify(body.messages).length / 4));
    expect(longest).toBeLessThan(context);
    expect(statSync(file).size / 4).toBeGreaterThan(2 * context);
    expect(resultLimitsFor(context)).toEqual({ trigger: 15_000, keep: 10, keepTokens: 7_500, atLeast: 3_000 });
  });
});
