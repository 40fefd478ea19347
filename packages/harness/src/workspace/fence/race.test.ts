import { expect, test } from "vitest";
import { hasBeneath, openBeneath } from "../place/beneath.ts";
import { canExchange } from "./exchange.testing.ts";
import { attack, nothingEscaped } from "./race.testing.ts";
import { attackWrites, nothingWritten } from "./race-writing.testing.ts";

test.runIf(hasBeneath())(
  "a folder or file swapped for a link never leads outside, and fools whoever checks first",
  async () => {
    expect(await attack(openBeneath, { reads: 3000, listings: 300 })).toEqual(nothingEscaped);
  },
);

test.runIf(hasBeneath() && canExchange())("nothing is written, made or removed outside either", async () => {
  expect(await attackWrites(openBeneath, 400)).toEqual(nothingWritten);
});
