/** The terminal as croft holds it: raw, its modes on, and given back as it was on every way out that can be caught. */

import { constants } from "node:os";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { openDecoder } from "./keys.ts";
import { modesOff, modesOn } from "./modes.ts";
import { openTyping, type Typed } from "./typing.ts";

/** What is used of a terminal's two ends. */
export type TtyInput = Readable & { setRawMode?(raw: boolean): unknown };
export type TtyOutput = {
  write(text: string): unknown;
  on(name: "resize", call: () => void): unknown;
  off(name: "resize", call: () => void): unknown;
  readonly columns: number;
  readonly rows: number;
};

export type TtyOptions = {
  input: TtyInput;
  output: TtyOutput;
  /** Whether the terminal can be told to tell more keys apart. */
  keys: boolean;
  onInput: (token: Typed) => void;
  onResize: () => void;
  /** There is nothing more to read. */
  onEnd: () => void;
};

export type Tty = {
  /** Begins to read; again, after `release`. */
  hold(): void;
  /** Gives the terminal back and reads no more. */
  release(): void;
  /** Stops croft, as Ctrl+Z does; resolves when it goes on. The terminal is given back for that time. */
  suspend(): Promise<void>;
  close(): void;
};

/** Milliseconds after which a lone ESC is the key. */
const escapeMs = 30;

export function openTty({ input, output, keys, onInput, onResize, onEnd }: TtyOptions): Tty {
  const bytes = new StringDecoder("utf8");
  const decoder = openDecoder();
  const typing = openTyping(onInput);
  let waiting: NodeJS.Timeout | undefined;
  let held = false;

  function onData(piece: Buffer | string): void {
    clearTimeout(waiting);
    typing.take(decoder.feed(typeof piece === "string" ? piece : bytes.write(piece)));
    if (decoder.waits()) waiting = setTimeout(() => typing.take(decoder.flush()), escapeMs);
  }

  function hold(): void {
    if (held) return;
    held = true;
    input.setRawMode?.(true);
    output.write(modesOn(keys));
    input.on("data", onData).on("end", onEnd).resume();
    output.on("resize", onResize);
    process.on("exit", restore).on("uncaughtExceptionMonitor", restore);
  }

  /** Only what can be done at once: it runs where the process is about to be gone. */
  function restore(): void {
    if (!held) return;
    held = false;
    output.write(modesOff(keys));
    input.setRawMode?.(false);
  }

  function release(): void {
    restore();
    clearTimeout(waiting);
    input.off("data", onData).off("end", onEnd).pause();
    output.off("resize", onResize);
    process.off("exit", restore).off("uncaughtExceptionMonitor", restore);
  }

  return {
    hold,
    release,
    async suspend() {
      const { promise, resolve } = Promise.withResolvers<void>();
      release();
      process.once("SIGCONT", resolve);
      // With nothing to read and nothing to wait for, Node would end the process.
      const alive = setInterval(() => undefined, 60_000);
      // The whole group, as the terminal would: who started croft is to see it stop.
      process.kill(0, constants.signals.SIGTSTP);
      await promise;
      clearInterval(alive);
      hold();
    },
    close() {
      release();
      typing.close();
    },
  };
}
