import { expect, test } from "vitest";
import { Failure } from "../error.ts";
import { narrated, outcomeOf } from "./outcome.ts";

test.each([
  ["E_DENIED", "E_SANDBOX_REFUSED", "refused"],
  ["E_OUTSIDE_ROOT", "E_SANDBOX_REFUSED", "refused"],
  ["E_UNAVAILABLE", "E_SANDBOX_REFUSED", "refused"],
  ["E_NOT_FOUND", "E_SANDBOX_NOT_FOUND", "not-found"],
  ["E_STALE", "E_SANDBOX_STALE", "stale"],
  ["E_TOO_LARGE", "E_SANDBOX_TOO_LARGE", "limit"],
  ["E_BINARY", "E_SANDBOX_BINARY", "unsupported"],
  ["E_SEARCH_FAILED", "E_SANDBOX_SEARCH_FAILED", "io-failure"],
  ["E_INVALID_INPUT", "E_SANDBOX_INVALID_INPUT", "invalid"],
  ["E_READER_NOT_DESCRIBABLE", "E_READER_NOT_DESCRIBABLE", "invalid"],
  ["E_INTERNAL", "E_SANDBOX_INTERNAL", "fault"],
  ["E_OF_ANOTHER_MAKER", "E_SANDBOX_OF_ANOTHER_MAKER", "fault"],
])("%s becomes %s, %s", (code, name, outcome) => {
  const failure = narrated(new Failure(code, "It failed.", { remedy: "Go on." }));
  expect([failure.code, failure.message, failure.remedy]).toEqual([name, `[${name}, ${outcome}] It failed.`, "Go on."]);
  expect([outcomeOf(code), outcomeOf(name)]).toEqual([outcome, outcome]);
});

test("what brings no next step gets one", () => {
  expect(narrated(new Failure("E_NOT_REGULAR", "It is a FIFO.")).remedy).toBe("Go on without it, and say so.");
});
