import { expect, test } from "vitest";
import { hasBeneath } from "../place/beneath.ts";
import { attackSearches } from "./race.testing.ts";

test.runIf(hasBeneath())(
  "searches are not led outside while folders are swapped, and whoever reads by path is",
  async () => {
    const { inside, naive, ...rest } = await attackSearches(24);
    expect(rest).toEqual({ escaped: 0, leaked: 0, refused: expect.any(Number) });
    expect([inside > 0, naive.escaped > 0]).toEqual([true, true]);
  },
);
