import { expect, test } from "vitest";
import { runInTerminal } from "./in-terminal.ts";

const around = { cwd: "/", environment: { PATH: process.env["PATH"], WORD: "7" } };

test("a program on the terminal gets the whole environment, and its exit code is told", async () => {
  expect(await runInTerminal({ argv: ["sh", "-c", 'exit "$WORD"'], ...around })).toBe(7);
});

test("one that cannot be started, or is killed, has no code", async () => {
  expect(await runInTerminal({ argv: ["/nowhere/at-all"], ...around })).toBeUndefined();
  expect(await runInTerminal({ argv: ["sh", "-c", "kill -9 $$"], ...around })).toBeUndefined();
});
