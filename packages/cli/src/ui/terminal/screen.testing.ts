/** A terminal screen on a terminal that tests can read: the bytes it got, and what they look like. */

import { PassThrough } from "node:stream";
import headless from "@xterm/headless";
import { onTestFinished } from "vitest";
import type { Event } from "@croft/harness";
import type { Person, Screen, ChatStatus } from "../../chat/screen.ts";
import { openTerminal } from "./screen.ts";

export type Seen = {
  screen: Screen;
  /** All that was written, as it was. */
  bytes(): string;
  /** What is in sight, without blank rows at the end. */
  shown(): Promise<string>;
  /** Scrollback and what is in sight. */
  all(): Promise<string>;
  /** Waits until the text is in sight. */
  until(text: string): Promise<string>;
  cursor(): Promise<{ x: number; y: number }>;
  /** Types, as one read; each with a moment behind it. */
  type(...texts: string[]): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  told: string[];
  person: Partial<Person>;
};

export type Over = { columns?: number; rows?: number; colour?: boolean; person?: Partial<Person> };

export const status: ChatStatus = {
  model: "anthropic/claude",
  mode: "ask",
  sandbox: "on",
  context: { used: 24_000, of: 200_000 },
  dollars: 0.0123,
  working: false,
  queued: [],
};

/** The screen is read from at once, and closed with the test. */
export function see({ columns = 80, rows = 24, colour = false, person = {} }: Over = {}): Seen {
  const term = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 20_000 });
  const input = new PassThrough();
  const resized = new Set<() => void>();
  let bytes = "";
  const output = {
    columns,
    rows,
    write(text: string) {
      bytes += text;
      term.write(text);
    },
    on(_: string, call: () => void) {
      resized.add(call);
      return output;
    },
    off(_: string, call: () => void) {
      resized.delete(call);
      return output;
    },
  };
  const told: string[] = [];
  const tell = (word: string): void => void told.push(word);
  const whole: Person = {
    enter: (text, when) => tell(`${when}: ${text}`),
    interrupt: () => (tell("interrupt"), true),
    retract: () => undefined,
    nextMode: () => tell("mode"),
    trust: () => tell("trust"),
    complete: async () => [],
    history: () => [],
    edit: async () => undefined,
    leave: () => tell("leave"),
    ...person,
  };
  const screen = openTerminal({ input, output, colour, term: "xterm-256color" });
  void screen.read(whole);
  onTestFinished(() => screen.close());

  async function settle(ms = 60): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await new Promise<void>((resolve) => term.write("", resolve));
  }
  function lines(from: number): string {
    const buffer = term.buffer.active;
    const all = Array.from({ length: buffer.length - from }, (_, row) =>
      buffer.getLine(from + row)?.translateToString(true),
    );
    return all.join("\n").trimEnd();
  }
  const seen: Seen = {
    screen,
    told,
    person: whole,
    bytes: () => bytes,
    async shown() {
      await settle();
      return lines(term.buffer.active.baseY);
    },
    async all() {
      await settle();
      return lines(0);
    },
    async until(text) {
      for (let tries = 0; tries < 100; tries += 1) {
        const shown = await seen.shown();
        if (shown.includes(text)) return shown;
      }
      throw new Error(`Never in sight: ${text}\n${await seen.shown()}`);
    },
    async cursor() {
      await settle();
      return { x: term.buffer.active.cursorX, y: term.buffer.active.cursorY };
    },
    async type(...texts) {
      for (const text of texts) {
        input.write(text);
        await settle(70);
      }
    },
    async resize(columns, rows) {
      await settle();
      term.resize(columns, rows);
      Object.assign(output, { columns, rows });
      for (const call of resized) call();
      await settle();
    },
  };
  return seen;
}

/** Text of a model, as it streams. */
export function text(piece: string): Event {
  return { type: "delta", delta: { type: "text", text: piece } };
}

export function start(task: string): Event {
  return { type: "start", session: "s", root: "/r", model: "m", task };
}

export function said(words: string): Event {
  const origin = { provider: "", model: "m" };
  return { type: "message", message: { role: "assistant", content: [{ type: "text", text: words }], origin } };
}

export function stop(answer: string): Event {
  const usage = { input: 10, cacheRead: 0, cacheWrite: 0, output: 5 };
  return { type: "stop", status: "done", steps: 1, usage, dollars: 0.001, answer };
}
