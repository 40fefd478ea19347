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

  it("sees calls that take turns, and ends the turn, whatever comes between", () => {
    const guard = createGuard([]);
    const seen = Array.from({ length: 12 }, (_, n) => {
      const one = result(n % 2 === 0 ? "even" : "odd");
      const warned = guard.note(call({ pattern: n % 2 }), one) !== undefined;
      return `${warned ? "warned" : "quiet"} ${guard.endStep([one])?.code ?? "goes on"}`;
    });
    expect(seen).toEqual([
      ...Array.from({ length: 4 }, () => "quiet goes on"),
      ...Array.from({ length: 6 }, () => "warned goes on"),
      ...Array.from({ length: 2 }, () => "warned E_STUCK"),
    ]);
  });

  it("counts a call that fails as the same, however its error is worded", () => {
    const guard = createGuard([]);
    const warned = [1, 2, 3].map((n) => guard.note(call("x"), result(`at ${n} o'clock`, true)) !== undefined);
    expect(warned).toEqual([false, false, true]);
  });

  it("says to the user what went round in circles", () => {
    const guard = createGuard([]);
    for (let n = 0; n < 6; n += 1) guard.note(call({ pattern: "x" }), result("none"));
    expect(guard.endStep([result("none")])).toEqual({
      code: "E_STUCK",
      message:
        'The model went round in circles, so the turn was ended: 6 times search({"pattern":"x"}), with the same result.',
      remedy: "Ask in other words, or for a smaller step.",
    });
  });

  it("warns of what earlier turns did, and lets a turn do some of it again", () => {
    const history = Array.from({ length: 9 }, () => [
      { role: "assistant" as const, content: [call("a")], origin: { provider: "", model: "m" } },
      { role: "user" as const, content: [result("r")] },
    ]).flat();
    const guard = createGuard(history);
    expect(guard.note(call("a"), result("r"))).toMatch(/^This call was made 10 times/);
    expect(guard.endStep([result("r")])).toBeUndefined();
  });
});

describe("the guard against reading the same again", () => {
  const read = (from: number, to: number, hash = "h1") => [{ path: "a.ts", hash, from, to, via: "read" as const }];
  /** One step with one call that no other is the same as. */
  const steps = (ranges: readonly (readonly [from: number, to: number, hash?: string])[]): string[] => {
    const guard = createGuard([]);
    return ranges.map(([from, to, hash], n) => {
      const one = result(`lines ${n}`);
      const warned = guard.note(call({ n }), one, read(from, to, hash))?.split(",")[0] ?? "quiet";
      return guard.endStep([one])?.code ?? warned;
    });
  };

  it("warns when lines were shown twice before, by whatever calls, and ends the turn", () => {
    expect(
      steps([
        [1, 400],
        [1, 399],
        [2, 398],
        [2, 397],
        [2, 396],
        [2, 395],
      ]),
    ).toEqual([
      "quiet",
      "quiet",
      "These lines were read 3 times",
      "These lines were read 4 times",
      "These lines were read 5 times",
      "E_STUCK",
    ]);
  });

  it("lets parts of a file be looked at more closely, and a file that changed be read again", () => {
    expect(
      steps([
        [1, 400],
        [1, 50],
        [51, 90],
        [91, 120],
        [300, 310],
        [390, 400],
      ]),
    ).toEqual(Array.from({ length: 6 }, () => "quiet"));
    expect(
      steps([
        [1, 9],
        [1, 9, "h2"],
        [1, 9, "h3"],
        [1, 9, "h4"],
      ]),
    ).toEqual(Array.from({ length: 4 }, () => "quiet"));
  });

  it("lets lines be read again that a long conversation no longer holds", () => {
    const others = Array.from({ length: 10 }, (_, n) => [1_000 + n * 10, 1_005 + n * 10] as const);
    expect(steps([[1, 9], [1, 9], ...others, [1, 9]]).at(-1)).toBe("quiet");
  });

  it("takes the reads of one reply for one", () => {
    const guard = createGuard([]);
    const warned = [1, 2, 3, 4].map((n) => guard.note(call({ n }), result(`${n}`), read(1, 9)));
    expect(warned).toEqual([undefined, undefined, undefined, undefined]);
  });
});
