/** croft on a real pseudo-terminal, typed at like a person would. */

import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { needs } from "../support/needs.ts";
import { bin, until, type World } from "./croft.ts";

export const hasPty: boolean = process.platform === "linux" && needs("script");

export type Terminal = {
  /** All that has been shown so far. */
  shown(): string;
  /** Waits until something is shown that was not when this was last called, and types behind it. */
  answer(shown: string, typed: string): Promise<void>;
  ended: Promise<{ code: number | null; shown: string }>;
};

/** Starts croft. It is ended with the test, whatever happens. */
export function onTerminal(world: World, args: readonly string[], env: Readonly<Record<string, string>>): Terminal {
  const command = [process.execPath, bin, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  const child = spawn("script", ["-qec", command.join(" "), "/dev/null"], {
    cwd: world.project,
    env: { PATH: process.env["PATH"], HOME: world.home, TERM: "xterm-256color", NO_COLOR: "1", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  let seen = 0;
  child.stdout.setEncoding("utf8").on("data", (chunk) => (text += chunk));
  const { promise, resolve } = Promise.withResolvers<{ code: number | null; shown: string }>();
  child.on("close", (code) => resolve({ code, shown: text.replaceAll("\r\n", "\n") }));
  return {
    shown: () => text,
    async answer(shown, typed) {
      await until(() => text.includes(shown, seen));
      seen = text.length;
      child.stdin.write(typed);
    },
    ended: promise,
  };
}
