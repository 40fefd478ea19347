/** A line that is edited at the bottom of a plain terminal, while other text is written above it. */

import { createInterface, cursorTo, moveCursor, clearScreenDown } from "node:readline";
import { Writable } from "node:stream";
import type { Input } from "../../io.ts";
import type { Output } from "../output.ts";
import { pasteModeOff, pasteModeOn } from "../paste-marks.ts";
import { withoutPastes } from "./pasting.ts";

export type EditorOptions = {
  input: Input;
  err: Output;
  /** Of the terminal; undefined where they are not known. */
  columns: () => number | undefined;
  /** Whether the cursor can be moved: not on a dumb terminal. */
  canMove: boolean;
  /** The newest last. */
  history: readonly string[];
  complete(draft: string, cursor: number): Promise<{ from: number; inserts: readonly string[] }>;
  /** Keys were pressed, before anything is made of them. */
  onKeys(): void;
  /** A line was entered. */
  onLine(line: string): void;
  /** Ctrl+C; whether anything had been typed, which is gone. */
  onInterrupt(wasTyping: boolean): void;
  /** There is nothing more to read. */
  onEnd(): void;
};

export interface Editor {
  /** Shows it in front of what is typed; "" where nothing is waited for. */
  prompt(text: string): void;
  /** Whatever `write` writes comes to stand above. */
  above(write: () => void): void;
  /** Takes away what was typed. */
  take(): string;
  insert(text: string): void;
  close(): void;
}

/** As readline takes what could stand in the place of a part of the line. */
type Offer = (error: null, found: [string[], string]) => void;

export function openEditor(options: EditorOptions): Editor {
  const { input, err, columns, canMove } = options;
  const pasting = withoutPastes(input);
  const screen = Object.assign(new Writable({ write: (chunk, _, done) => (err.write(String(chunk)), done()) }), {
    get columns() {
      return columns();
    },
  });
  input.on("error", () => options.onEnd());
  pasting.keys.on("data", () => options.onKeys());
  const lines = createInterface({
    input: pasting.keys,
    output: screen,
    terminal: true,
    prompt: "",
    history: options.history.toReversed(),
    historySize: 5_000,
    removeHistoryDuplicates: true,
    completer: (line: string, done: Offer) => void offer(line, done),
  });
  async function offer(line: string, done: Offer): Promise<void> {
    const { from, inserts } = await options.complete(line, line.length);
    done(null, [[...inserts], line.slice(from)]);
  }

  let prompt = "";
  let closed = false;
  /** There is nothing more to read: nothing is shown or written there any more. */
  let over = false;
  /** Also where croft ends by a fault. */
  const restore = (): void => void (canMove && err.write(pasteModeOff));
  /** What is told of a fault begins on a line of its own. */
  const leave = (): void => void (isShown() && err.write("\n"));
  process.on("exit", restore).on("uncaughtExceptionMonitor", leave).on("SIGCONT", takeBack);
  if (canMove) err.write(pasteModeOn);

  /** Croft was stopped and goes on: the terminal is as others left it. */
  function takeBack(): void {
    if (over) return;
    pasting.rawAgain();
    if (canMove) err.write(pasteModeOn);
    lines.prompt(true);
  }

  function isShown(): boolean {
    return prompt !== "" || lines.line !== "";
  }

  function erase(): void {
    if (!canMove) {
      err.write("\n");
      return;
    }
    moveCursor(screen, 0, -lines.getCursorPos().rows);
    cursorTo(screen, 0);
    clearScreenDown(screen);
  }

  lines.on("line", (line) => options.onLine(pasting.whole(line)));
  lines.on("close", () => {
    over = true;
    if (!closed) options.onEnd();
  });
  lines.on("SIGINT", () => {
    const wasTyping = take() !== "";
    options.onInterrupt(wasTyping);
  });

  function take(): string {
    if (over) return "";
    const { line } = lines;
    lines.write(null, { ctrl: true, name: "e" });
    lines.write(null, { ctrl: true, name: "u" });
    return line;
  }

  return {
    prompt(text) {
      if (over || text === prompt) return;
      if (isShown()) erase();
      prompt = text;
      lines.setPrompt(text);
      if (isShown()) lines.prompt(true);
    },
    above(write) {
      const wasShown = !over && isShown();
      if (wasShown) erase();
      write();
      if (wasShown) lines.prompt(true);
    },
    take,
    insert(text) {
      if (!over) lines.write(pasting.taken(text));
    },
    close() {
      if (closed) return;
      closed = true;
      if (isShown()) erase();
      process.off("exit", restore).off("uncaughtExceptionMonitor", leave).off("SIGCONT", takeBack);
      restore();
      lines.close();
      pasting.close();
    },
  };
}
