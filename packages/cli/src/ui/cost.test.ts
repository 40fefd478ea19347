import { expect, test } from "vitest";
import { costLines, countedText } from "./cost.ts";

const usage = { input: 1000, cacheRead: 200, cacheWrite: 30, output: 4 };

test.each([
  ["1,234 tokens (input 1,000, cache read 200, cache write 30, output 4)", usage],
  [
    "about 1,234 tokens (input 1,000, cache read 200, cache write 30, output 4)",
    { ...usage, estimated: true as const },
  ],
  ["0 tokens", { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }],
])("%s", (told, counted) => {
  expect(countedText(counted)).toBe(told);
});

test("a session of one model is a line", () => {
  expect(costLines({ turns: 2, dollars: 1.5 }, [{ model: "p/a", usage, dollars: 1.5 }])).toEqual([
    "2 turns, $1.50, 1,234 tokens (input 1,000, cache read 200, cache write 30, output 4)",
  ]);
  expect(costLines({ turns: 0, dollars: 0 }, [])).toEqual(["0 turns, $0.0000, 0 tokens"]);
});

test("a session of several models tells each, and that one of them has no price", () => {
  const other = { model: "p/b", usage: { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 }, dollars: undefined };
  expect(costLines({ turns: 2, dollars: undefined }, [{ model: "p/a", usage, dollars: 0.25 }, other])).toEqual([
    "2 turns, no price, 1,236 tokens (input 1,001, cache read 200, cache write 30, output 5)",
    "p/a: $0.2500, 1,234 tokens (input 1,000, cache read 200, cache write 30, output 4)",
    "p/b: no price, 2 tokens (input 1, cache read 0, cache write 0, output 1)",
  ]);
});
