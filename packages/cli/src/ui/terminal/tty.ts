/** The terminal as croft holds it: raw, its modes on, and given back as it was on every way out that can be caught. */

import { constants } from "node:os";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as after } from "node:timers/promises";
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
  /** Somebody else wants croft to stop: what `suspend` is for. */
  onStop: () => void;
  /** Croft was stopped as nobody can hear of, and goes on: whatever stands on the terminal is no longer its own. */
  onLost: () => void;
};

export type Tty = {
  /** Begins to read; again, after `release`. */
  hold(): void;
  /** Gives the terminal back and reads no more. */
  release(): void;
  /**
   * Stops croft, as Ctrl+Z does; resolves when it goes on, at once where no shell could go on with it. The terminal is
   * given back for that time.
   */
  suspend(): Promise<void>;
  close(): void;
};

/** Milliseconds after which a lone ESC is the key. */
const escapeMs = 30;
/** Milliseconds in which a process that can be stopped is. */
const stopMs = 50;
/** Where croft ends in the middle of its rows: what comes next stands on a line of its own, and nothing below it. */
const below = "\r\n\u001b[J";

export function openTty({ input, output, keys, onInput, onResize, onEnd, onStop, onLost }: TtyOptions): Tty {
  const bytes = new StringDecoder("utf8");
  const decoder = openDecoder();
  const typing = openTyping(onInput);
  let waiting: NodeJS.Timeout | undefined;
  let held = false;

  // A terminal that is gone may be told by an error, at any time.
  input.on("error", onEnd);

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
    process.on("exit", abandon).on("uncaughtExceptionMonitor", abandon);
    process.on("SIGTSTP", onStop).on("SIGCONT", takeBack);
  }

  function restore(end: string): void {
    if (!held) return;
    held = false;
    output.write(modesOff(keys) + end);
    input.setRawMode?.(false);
  }

  /** Only what can be done at once: it runs where the process is about to be gone. */
  function abandon(): void {
    restore(below);
  }

  /** Modes that croft believes to be on may be off. */
  function takeBack(): void {
    release();
    hold();
    onLost();
  }

  function release(): void {
    restore("");
    clearTimeout(waiting);
    input.off("data", onData).off("end", onEnd).pause();
    output.off("resize", onResize);
    process.off("exit", abandon).off("uncaughtExceptionMonitor", abandon);
    process.off("SIGTSTP", onStop).off("SIGCONT", takeBack);
  }

  return {
    hold,
    release,
    async suspend() {
      release();
      // The whole group, as the terminal would: who started croft is to see it stop.
      process.kill(0, constants.signals.SIGTSTP);
      // Once stopped, it is here again when it goes on. Without a shell above, the system does not stop it.
      await after(stopMs);
      hold();
    },
    close() {
      release();
      typing.close();
    },
  };
}
