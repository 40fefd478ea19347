/** A conversation with croft on a real pseudo-terminal: the screen as a terminal shows it, and keys as a person presses them. */

import { spawn, type IPty } from "@lydell/node-pty";
import { Terminal } from "@xterm/headless";
import { onTestFinished } from "vitest";
import { bin, until, type World } from "./croft.ts";

export const keys = { enter: "\r", interrupt: "\u0003", end: "\u0004", tab: "\t", up: "\u001b[A" } as const;

export type Conversation = {
  /** What the terminal shows, with what has scrolled out of it, without blanks at the ends of lines. */
  screen(): Promise<string>;
  /** All bytes that came. */
  bytes(): string;
  /** Presses keys. */
  press(keys: string): void;
  /** Waits until something is shown behind what was last waited for, then types a line. */
  answer(shown: string, line: string): Promise<void>;
  /** Waits until something is shown behind what was last waited for. */
  sees(shown: string): Promise<void>;
  pid: number;
  ended: Promise<{ code: number; signal: number | undefined }>;
};

export type ConversationOptions = { env?: Readonly<Record<string, string>>; columns?: number; rows?: number };

/** Milliseconds after which what was not shown is missed: far more than it takes, and less than a test may. */
const patienceMs = 20_000;

/** Starts croft. It is ended with the test, whatever happens. */
export function converse(world: World, args: readonly string[], options: ConversationOptions = {}): Conversation {
  const { env = {}, columns = 100, rows = 40 } = options;
  const pty: IPty = spawn(process.execPath, [bin, ...args], {
    name: env["TERM"] ?? "xterm-256color",
    cols: columns,
    rows,
    cwd: world.project,
    env: { PATH: process.env["PATH"], HOME: world.home, NO_COLOR: "1", ...env },
  });
  const terminal = new Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  let bytes = "";
  let seen = 0;
  let isOver = false;
  pty.onData((data) => {
    bytes += data;
    terminal.write(data);
  });
  const { promise: ended, resolve } = Promise.withResolvers<{ code: number; signal: number | undefined }>();
  pty.onExit(({ exitCode, signal }) => {
    isOver = true;
    resolve({ code: exitCode, signal });
  });
  onTestFinished(() => {
    if (!isOver) pty.kill("SIGKILL");
    terminal.dispose();
  });

  async function sees(shown: string): Promise<void> {
    const late = AbortSignal.timeout(patienceMs);
    await until(() => bytes.includes(shown, seen) || isOver || late.aborted);
    if (!bytes.includes(shown, seen))
      throw new Error(`${JSON.stringify(shown)} was not shown in time:\n${bytes.slice(seen)}`);
    seen = bytes.indexOf(shown, seen) + shown.length;
  }

  return {
    async screen() {
      await new Promise<void>((resolve) => terminal.write("", resolve));
      const { active } = terminal.buffer;
      const lines = Array.from(
        { length: active.length },
        (_, row) => active.getLine(row)?.translateToString(true) ?? "",
      );
      return lines.join("\n").trimEnd();
    },
    bytes: () => bytes,
    press: (pressed) => pty.write(pressed),
    async answer(shown, line) {
      await sees(shown);
      pty.write(`${line}\r`);
    },
    sees,
    pid: pty.pid,
    ended,
  };
}
