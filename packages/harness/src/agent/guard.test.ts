import { describe, expect, it } from "vitest";
import type { ToolResultBlock, ToolUseBlock } from "../message.ts";
import { createGuard } from "./guard.ts";

const call = (input: unknown): ToolUseBlock => ({ type: "tool_use", id: "a", name: "search", input });
const result = (text: string, isError = false): ToolResultBlock => ({
  type: "tool_result",
  toolUseId: "a",
  content: [{ type: "text", text }],
  isError,
});

describe("the guard against repetition", () => {
  it("warns at the third identical call with the same result and ends the turn at the sixth", () => {
    const guard = createGuard([]);
    const seen = [1, 2, 3, 4, 5, 6].map(() => {
      const warned = guard.note(call({ pattern: "x" }), result("none")) !== undefined;
      return { warned, stuck: guard.endStep([result("none")]) !== undefined };
    });
    expect(seen).toEqual([
      { warned: false, stuck: false },
      { warned: false, stuck: false },
      { warned: true, stuck: false },
      { warned: true, stuck: false },
      { warned: true, stuck: false },
      { warned: true, stuck: true },
    ]);
  });

  it("sees through alternation and counts over the turns of a session", () => {
    const history = [1, 2].flatMap(() => [
      { role: "assistant" as const, content: [call("a")], origin: { provider: "", model: "m" } },
      { role: "user" as const, content: [result("r")] },
    ]);
    const guard = createGuard(history);
    expect(guard.note(call("b"), result("r"))).toBeUndefined();
    expect(guard.note(call("a"), result("r"))).toMatch(/^This call was made 3 times/);
  });

  it("lets a poll go on whose result changes", () => {
    const guard = createGuard([]);
    for (let round = 0; round < 20; round += 1) {
      expect(guard.note(call("a"), result(`round ${round}`))).toBeUndefined();
      expect(guard.endStep([result("")])).toBeUndefined();
    }
  });

  it("ends a turn in which every call fails, eight steps long", () => {
    const guard = createGuard([]);
    const stuck = Array.from({ length: 8 }, () => guard.endStep([result("no such tool", true)])?.code);
    expect(stuck).toEqual([...Array.from({ length: 7 }, () => undefined), "E_STUCK"]);
  });
});
