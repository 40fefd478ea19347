/** From the shell's Enter to the prompt of a conversation, at a real pseudo-terminal. */

import { spawn } from "@lydell/node-pty";
import { bareNode, croft, versus, type Command, type Place, type Row } from "./measure.ts";

const runs = 15;
const screens = [
  { name: "the terminal", args: [], prompt: "›", budget: 5 },
  { name: "plain lines", args: ["--plain"], prompt: "> ", budget: 8 },
];
/** Ctrl+D at an empty prompt. */
const leave = "\u0004";

export async function firstPrompt({ project, home }: Place): Promise<Row[]> {
  const key = { ANTHROPIC_API_KEY: "none", TERM: "xterm-256color" };
  const rows: Row[] = [];
  for (const { name, args, prompt, budget } of screens) {
    const command = croft(args, project, home, key);
    const until = (measured: Command): Promise<number> => untilPrompt(measured, prompt);
    const { ratio, measured, floor } = await versus(until, command, bareNode(project), runs);
    const detail = `${measured.toFixed(0)} ms against ${floor.toFixed(0)}`;
    rows.push({ what: `croft up to the prompt, ${name}`, value: ratio, unit: "x node", budget, detail });
  }
  return rows;
}

/**
 * Milliseconds until the prompt shows; `node -e 0` has none: until its end. croft is then left as a person leaves it, for
 * Node keeps what it has compiled when a process ends by itself.
 */
async function untilPrompt({ args, cwd, env = {} }: Command, prompt: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const began = performance.now();
  const terminal = spawn(process.execPath, [...args], {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    cols: 100,
    rows: 30,
  });
  const stop = setTimeout(() => terminal.kill("SIGKILL"), 60_000);
  let shown = "";
  terminal.onData((text) => {
    const wasShown = shown.includes(prompt);
    shown += text;
    if (wasShown || !shown.includes(prompt)) return;
    resolve(performance.now() - began);
    terminal.write(leave);
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
