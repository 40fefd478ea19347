import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { bin, makeWorld, type World } from "./croft.ts";

/** What a real pseudo-terminal receives while croft runs on it. */
function onTerminal(world: World, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const command = `'${process.execPath}' '${bin}' ask --model offline 'What is the API key in .env?'`;
  const options = {
    cwd: world.project,
    env: { PATH: process.env["PATH"], HOME: world.home, TERM: "xterm-256color", ...env },
    timeout: 30_000,
  };
  return new Promise((resolve, reject) => {
    const child = execFile("script", ["-qec", command, "/dev/null"], options, (error, out) =>
      error === null ? resolve(out) : reject(error),
    );
    child.stdin?.end();
  });
}

const hasPty = process.platform === "linux" && needs("script");

test.runIf(hasPty)("on a terminal what went wrong is coloured, without NO_COLOR", async () => {
  const world = makeWorld({ ".env": "KEY=1\n" });
  const coloured = await onTerminal(world);
  expect(coloured).toContain("\u001b[31m");
  expect(coloured).toContain("I could not read .env");
  const plain = await onTerminal(world, { NO_COLOR: "1" });
  expect(plain).not.toContain("\u001b[");
  expect(plain).toContain("I could not read .env");
});
