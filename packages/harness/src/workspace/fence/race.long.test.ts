import { expect, test } from "vitest";
import { hasBeneath, openBeneath } from "../place/beneath.ts";
import { attack } from "./race.testing.ts";

test.runIf(hasBeneath())(
  "a folder or file swapped for a link never leads outside, and fools whoever checks first",
  async () => {
    const { outcomes, leaked } = await attack(openBeneath, { reads: 100_000, listings: 10_000 });
    const { naive, ...fenced } = outcomes;
    const escaped = Object.entries(fenced).map(([asked, outcome]) => [asked, outcome.escaped]);
    expect(escaped).toEqual([
      ["a/d/c/f.txt", 0],
      ["a/link-to-folder/c/f.txt", 0],
      ["a/d/../f.txt", 0],
      ["list .", 0],
      ["list a/d/c", 0],
      ["a/f.txt", 0],
      ["a/link-to-file", 0],
    ]);
    expect(leaked).toBe(0);
    // The attack was real: both states were met, and the naive way fell for it.
    expect(fenced["a/d/c/f.txt"]).toMatchObject({
      inside: expect.toSatisfy(positive),
      refused: expect.toSatisfy(positive),
    });
    expect(fenced["list ."]).toMatchObject({ inside: expect.toSatisfy(positive) });
    expect(naive).toMatchObject({ escaped: 1 });
  },
);

function positive(count: number): boolean {
  return count > 0;
}
