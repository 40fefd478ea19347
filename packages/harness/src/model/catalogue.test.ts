import { expect, test } from "vitest";
import { catalogue, limitsOf, priceOf } from "./catalogue.ts";

test.each(Object.entries(catalogue))(
  "%s says where its price was read, and when",
  (name, { source, asOf, ...facts }) => {
    expect(name).toMatch(/^[a-z]+\/\S+$/);
    expect(source).toMatch(/^https:\/\/[^/]+\/\S+$/);
    expect(asOf).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
    const { price, limits } = facts;
    expect(Object.values(price).every((dollars) => dollars > 0)).toBe(true);
    // A cache read is the cheapest token and an output the dearest: a slip of a column shows.
    expect([price.cacheRead, price.input, price.cacheWrite, price.output].toSorted((a, b) => a - b)).toEqual([
      price.cacheRead,
      price.input,
      price.cacheWrite,
      price.output,
    ]);
    expect(limits.output).toBeLessThan(limits.context);
  },
);

test.each(["other/model", "anthropic/claude-haiku-5-5", "anthropic/toString", "house/claude-opus-5-5"])(
  "of %s nothing is known: no price, and limits that any model takes",
  (name) => {
    expect([priceOf(name), limitsOf(name)]).toEqual([undefined, { context: 200_000, output: 64_000 }]);
  },
);
