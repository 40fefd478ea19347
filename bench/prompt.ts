/** From the shell's Enter to the prompt of a conversation, at a real pseudo-terminal. */

import { spawn } from "@lydell/node-pty";
import { bareNode, croft, versus, type Command, type Place, type Row } from "./measure.ts";

const runs = 15;
/** Of both kinds of screen. */
const prompt = /›|> /;

export async function firstPrompt({ project, home }: Place): Promise<Row[]> {
  const key = { ANTHROPIC_API_KEY: "none", TERM: "xterm-256color" };
  const rows: Row[] = [];
  for (const [name, args] of [
    ["the terminal", []],
    ["plain lines", ["--plain"]],
  ] as const) {
    const command = croft([...args], project, home, key);
    const { ratio, measured, floor } = await versus(untilPrompt, command, bareNode(project), runs);
    const detail = `${measured.toFixed(0)} ms against ${floor.toFixed(0)}`;
    rows.push({ what: `croft up to the prompt, ${name}`, value: ratio, unit: "x node", budget: 5, detail });
  }
  return rows;
}

/** Milliseconds until the prompt shows. `node -e 0` has none: until its end. */
async function untilPrompt({ args, cwd, env = {} }: Command): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const began = performance.now();
  const terminal = spawn(process.execPath, [...args], {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    cols: 100,
    rows: 30,
  });
  const stop = setTimeout(() => terminal.kill("SIGKILL"), 60_000);
  terminal.onData((text) => {
    if (!prompt.test(text)) return;
    resolve(performance.now() - began);
    terminal.kill("SIGKILL");
  });
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  terminal.onExit(() => {
    resolve(performance.now() - began);
    end();
  });
  const spent = await promise;
  await over;
  clearTimeout(stop);
  return spent;
}
