import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../message.ts";
import { viewOf } from "./context.ts";
import { fitted } from "./fit.ts";
import { bytesOf } from "./prompt-size.ts";

const origin = { provider: "mock", model: "one" };
const recipient = { tools: [{ name: "read" }], model: "mock/one", images: true, turnStart: 0 };

/** A task of some length, then calls with long inputs and results. */
function conversation(task: number, sizes: readonly (readonly [input: number, result: number])[]): Message[] {
  return [
    { role: "user", content: [{ type: "text", text: "t".repeat(task + 1) }] },
    ...sizes.flatMap(([input, result], index): Message[] => {
      const [id, text] = [`t${index}`, "r".repeat(result + 1)];
      const call = { type: "tool_use" as const, id, name: "read", input: { deep: ["i".repeat(input)] } };
      const answer = { type: "tool_result" as const, toolUseId: id, content: [{ type: "text" as const, text }] };
      return [
        { role: "assistant", content: [call], origin },
        { role: "user", content: [{ ...answer, isError: false }] },
      ];
    }),
  ];
}

describe("a conversation made to fit", () => {
  it("stays as it is where it does", () => {
    const messages = conversation(10, [[10, 10]]);
    expect(fitted(messages, 1_000)).toBe(messages);
  });

  it("is cut where it is longest, before anything is left out", () => {
    const fit = fitted(
      conversation(10, [
        [10, 50_000],
        [50_000, 10],
      ]),
      10_000,
    );
    expect(fit.map(({ role, content }) => [role, ...content.map(({ type }) => type)])).toEqual([
      ["user", "text"],
      ["assistant", "tool_use"],
      ["user", "tool_result", "text", "text"],
    ]);
    const [cut, called, answered] = fit[2]?.content.map((block) => JSON.stringify(block)) ?? [];
    expect(cut).toContain("characters left out");
    expect(called).toMatch(/\[harness\] You called read with .*characters left out/);
    expect(answered).toContain("[harness] read answered: rrrrrrrrrrr");
  });

  it("leaves what the model said as it was, thinking included, or retells it", () => {
    const thought = { type: "opaque" as const, raw: { type: "thinking", thinking: "Hm.", signature: "s" } };
    const said = (text: string): Message => ({ role: "assistant", content: [thought, { type: "text", text }], origin });
    const asked: Message = { role: "user", content: [{ type: "text", text: "Go on." }] };
    const messages = [asked, said("Short."), asked, said("l".repeat(50_000)), asked];
    const [, short, retold, ...rest] = fitted(messages, 40_000);
    expect([short, rest]).toEqual([messages[1], []]);
    expect(retold?.content.map((block) => (block.type === "text" ? block.text.slice(0, 24) : block.type))).toEqual([
      "Go on.",
      "[harness] You said: llll",
      "Go on.",
    ]);
  });

  it("fits, is whole in its calls and results, and begins with the task, whatever it holds", () => {
    const size = fc.integer({ min: 0, max: 60_000 });
    fc.assert(
      fc.property(size, fc.array(fc.tuple(size, size), { maxLength: 60 }), (task, sizes) => {
        const messages = conversation(task, sizes);
        const fit = fitted(messages, 20_000);
        expect(bytesOf(fit)).toBeLessThanOrEqual(20_000);
        expect(fit[0]?.role).toBe("user");
        expect(viewOf(fit, recipient)).toEqual(fit); // nothing is left to repair
      }),
      { numRuns: 50 },
    );
  });
});
