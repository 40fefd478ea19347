import { expect, test } from "vitest";
import { runInTerminal } from "./in-terminal.ts";

const never = new AbortController().signal;
const around = { cwd: "/", environment: { PATH: process.env["PATH"], WORD: "7" } };

test("a program on the terminal gets the whole environment, and its exit code is told", async () => {
  expect(await runInTerminal({ argv: ["sh", "-c", 'exit "$WORD"'], ...around }, never)).toBe(7);
});

test("one that cannot be started, or is killed, has no code", async () => {
  expect(await runInTerminal({ argv: ["/nowhere/at-all"], ...around }, never)).toBeUndefined();
  expect(await runInTerminal({ argv: ["sh", "-c", "kill -9 $$"], ...around }, never)).toBeUndefined();
});

test("one that is no longer wanted is asked to end, and may put things in order first", async () => {
  const sleeping = ["sh", "-c", "trap 'exit 3' TERM; while :; do sleep 0.01; done"] as const;
  expect(await runInTerminal({ argv: sleeping, ...around }, AbortSignal.timeout(300))).toBe(3);
});
