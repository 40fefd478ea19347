import { expect, test } from "vitest";
import { createHoldings } from "./holdings.ts";

test("all is let go of, the last first, once, though one of them fails", async () => {
  const told: string[] = [];
  const holdings = createHoldings();
  holdings.use({ [Symbol.dispose]: () => void told.push("first") });
  holdings.defer(() => {
    throw new Error("second");
  });
  holdings.use({ [Symbol.asyncDispose]: async () => void told.push("third") });
  await expect(holdings[Symbol.asyncDispose]()).rejects.toThrow("second");
  await holdings[Symbol.asyncDispose]();
  expect(told).toEqual(["third", "first"]);
});

test("what was moved is let go of by its new owner alone", async () => {
  const told: string[] = [];
  const holdings = createHoldings();
  holdings.defer(() => void told.push("one"));
  const moved = holdings.move();
  await holdings[Symbol.asyncDispose]();
  expect(told).toEqual([]);
  await moved[Symbol.asyncDispose]();
  expect(told).toEqual(["one"]);
});
