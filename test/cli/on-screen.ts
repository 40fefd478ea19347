/** croft's interactive screen on a real pseudo-terminal, read as a terminal shows it. */

import { spawn, type IPty } from "@lydell/node-pty";
import headless from "@xterm/headless";
import { onTestFinished } from "vitest";
import { bin, until, type World } from "./croft.ts";

export type OnScreen = {
  /** What is in sight. */
  shown(): Promise<string>;
  /** Scrollback and what is in sight. */
  all(): Promise<string>;
  /** Waits until it is in sight. */
  sees(text: string): Promise<string>;
  /** Types as a person does: what comes first, then each of the others a moment later. */
  types(...keys: string[]): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  bytes(): string;
  pid: number;
  ended: Promise<{ code: number; signal: number | undefined }>;
};

export type Where = {
  columns?: number;
  rows?: number;
  env?: Readonly<Record<string, string>>;
  /** A program in the place of croft, with its arguments. */
  program?: readonly [string, ...string[]];
};

/** Milliseconds in which whatever is waited for must come. */
const patienceMs = 20_000;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Started in the project of the world; ended with the test, whatever happens. */
export function onScreen(world: World, args: readonly string[], where: Where = {}): OnScreen {
  const { columns = 80, rows = 24, env = {}, program = [process.execPath, bin] } = where;
  const [file, ...first] = program;
  const pty: IPty = spawn(file, [...first, ...args], {
    name: "xterm-256color",
    cols: columns,
    rows,
    cwd: world.project,
    env: { PATH: process.env["PATH"], HOME: world.home, TERM: "xterm-256color", ...env },
  });
  const term = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 10_000 });
  let bytes = "";
  let over = false;
  pty.onData((data) => {
    bytes += data;
    term.write(data);
  });
  const { promise: ended, resolve } = Promise.withResolvers<{ code: number; signal: number | undefined }>();
  pty.onExit(({ exitCode, signal }) => {
    over = true;
    resolve({ code: exitCode, signal });
  });
  onTestFinished(() => {
    if (!over) pty.kill("SIGKILL");
    term.dispose();
  });

  async function lines(from: () => number): Promise<string> {
    await new Promise<void>((resolve) => term.write("", resolve));
    const { active } = term.buffer;
    const rows = Array.from({ length: active.length - from() }, (_, row) => active.getLine(from() + row));
    return rows
      .map((row) => row?.translateToString(true) ?? "")
      .join("\n")
      .trimEnd();
  }
  const screen: OnScreen = {
    pid: pty.pid,
    ended,
    bytes: () => bytes,
    shown: () => lines(() => term.buffer.active.baseY),
    all: () => lines(() => 0),
    async sees(text) {
      const late = AbortSignal.timeout(patienceMs);
      let shown = "";
      while (!(shown = await screen.shown()).includes(text)) {
        if (late.aborted || over) throw new Error(`Never in sight: ${text}\n${await screen.all()}`);
        await pause(20);
      }
      return shown;
    },
    async types(...keys) {
      for (const key of keys) {
        pty.write(key);
        await pause(80);
      }
    },
    async resize(columns, rows) {
      term.resize(columns, rows);
      pty.resize(columns, rows);
      const before = bytes.length;
      await until(() => bytes.length > before || over);
      await pause(100);
    },
  };
  return screen;
}
