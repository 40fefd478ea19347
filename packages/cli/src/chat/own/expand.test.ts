import { expect, test } from "vitest";
import { expanded } from "./expand.ts";

test.each([
  ["Fix $ARGUMENTS now", "issue 12", "Fix issue 12 now"],
  ["$1 to $2, not $3.", `"one word" two`, "one word to two, not ."],
  ["It costs $10 and $ARGUMENTSX.", "", "It costs $10 and $ARGUMENTSX."],
  ["Say it.\n", "loud", "Say it.\n\nloud\n"],
  ["Say it.\n", "", "Say it.\n"],
  ["Say $1", "$ARGUMENTS $2", "Say $ARGUMENTS"],
])("%j with %j", (body, rest, text) => {
  expect(expanded(body, rest)).toBe(text);
});
