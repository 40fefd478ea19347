import { expect, test } from "vitest";
import { hasBeneath } from "../place/beneath.ts";
import { attackSearches } from "./race.testing.ts";

test.runIf(hasBeneath())("500 searches are not led outside while folders are swapped", async () => {
  const { inside, refused, naive, ...rest } = await attackSearches(500);
  expect(rest).toEqual({ escaped: 0, leaked: 0 });
  expect([inside > 0, refused > 0, naive.escaped > 0]).toEqual([true, true, true]);
});
