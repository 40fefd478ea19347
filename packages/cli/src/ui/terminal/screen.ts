/**
 * The screen of an interactive session on a terminal. What is finished is written once; a few rows below it are live.
 * Brings its parts together: the transcript, the composer, the dialogs, and the keys that belong to none of them.
 */

import type { Person, Screen, ChatStatus } from "../../chat/screen.ts";
import { openHighlighter } from "../highlight/highlight.ts";
import { frameMs } from "../spinner.ts";
import { openComposer } from "./composer.ts";
import { openDialogs } from "./dialogs.ts";
import type { Page } from "./draw.ts";
import { liveRows } from "./live.ts";
import { openPace } from "./pace.ts";
import { openStage } from "./stage.ts";
import { openTranscript } from "./transcript.ts";
import { openTty, type TtyInput, type TtyOutput } from "./tty.ts";
import type { Typed } from "./typing.ts";
import keys from "../../words/terminal-keys.md";

export type TerminalOptions = {
  input: TtyInput;
  output: TtyOutput;
  colour: boolean;
  /** The value of TERM. */
  term: string | undefined;
};

/** Milliseconds in which a second Ctrl+C leaves. */
const twiceMs = 2_000;

export function openTerminal({ input, output, colour, term }: TerminalOptions): Screen {
  const highlight = openHighlighter();
  const surface = {
    write: (text: string): void => void output.write(text),
    get columns() {
      return Math.max(2, output.columns || 80);
    },
    get rows() {
      return Math.max(4, output.rows || 24);
    },
  };
  const stage = openStage(surface, colour);
  const tty = openTty({
    input,
    output,
    keys: term !== "linux",
    onInput: take,
    onResize() {
      stage.resized();
      pace.now();
    },
    onEnd: () => person?.leave(),
    onStop: () => void stop(),
    onLost() {
      stage.forget();
      pace.now();
    },
  });
  const reading = Promise.withResolvers<void>();

  let status: ChatStatus | undefined;
  let person: Person | undefined;
  /** What a key just did or would do. */
  let hint = "";
  /** When it was said that Ctrl+C leaves. */
  let warned: number | undefined;
  /** When the turn began. */
  let since = 0;
  /** Somebody else has the terminal. */
  let away = false;
  let closed = false;

  const page = (): Page => ({ width: surface.columns, highlight });
  const draftWidth = (): number => surface.columns - 3;
  const pace = openPace(draw);
  const transcript = openTranscript(page, pace.soon);
  const composer = openComposer({ person: () => person, width: draftWidth, changed: pace.soon });
  const dialogs = openDialogs({
    add: transcript.add,
    changed: pace.soon,
    forAll: () => person?.trust(),
    width: draftWidth,
  });

  function draw(now: number): void {
    if (away) return;
    const prompt = composer.prompt();
    const history = prompt.search === undefined ? [] : (person?.history() ?? []);
    const question = dialogs.question();
    const choosing = dialogs.choosing();
    const scene = { view: transcript.view(), prompt, question, choosing, status, hint, history, since, now };
    const live = liveRows(scene, surface, page());
    stage.frame(transcript.takeRows(), live.rows, live.cursor);
    // Only what moves by itself needs another frame.
    if (status?.working === true && question === undefined && choosing === undefined) pace.by(now + frameMs);
  }

  function take(token: Typed): void {
    if (token.type === "key" && token.key === "ctrl+z") return void stop();
    const now = performance.now();
    hint = "";
    const stops = token.type === "key" && token.key === "ctrl+c" && dialogs.question() !== undefined;
    if (stops) person?.interrupt();
    else if (!dialogs.take(token, now)) {
      if (token.type === "key") press(token.key, now);
      else composer.write(token);
      if (dialogs.question() !== undefined) hint = "That is in your message; the question hears keys behind a pause.";
    }
    pace.soon();
  }

  function press(key: string, now: number): void {
    const idle = composer.isIdle();
    if (key === "up" && idle && status !== undefined && status.queued.length > 0) return retract();
    if (key === "ctrl+d" && idle) return person?.leave();
    if (key === "ctrl+c") return interrupt(now);
    if (!composer.press(key)) acts[key]?.();
  }

  /** The keys that are no editing. */
  const acts: Readonly<Record<string, () => void>> = {
    escape: () => void person?.interrupt(),
    "shift+tab": () => person?.nextMode(),
    "ctrl+l": () => stage.clear(),
    "ctrl+o": () => void (hint = transcript.unfold()),
    "ctrl+g": () => void editElsewhere(),
  };

  function retract(): void {
    const text = person?.retract();
    if (text !== undefined) composer.replace(text);
  }

  /** Ends the nearest thing there is to end: a search, the turn, what is written, and at last croft. */
  function interrupt(now: number): void {
    if (composer.endSearch()) return;
    // Who presses it again in impatience wants the turn to end, not croft.
    if (person?.interrupt() === true) warned = undefined;
    else if (composer.prompt().buffer.draft.text !== "") composer.replace("");
    else if (warned !== undefined && now - warned < twiceMs) person?.leave();
    else {
      warned = now;
      hint = "Ctrl+C again leaves.";
    }
  }

  async function editElsewhere(): Promise<void> {
    const before = composer.text();
    const text = await elsewhere(async () => {
      tty.release();
      try {
        return await person?.edit(before);
      } finally {
        if (!closed) tty.hold();
      }
    });
    if (text === undefined) hint = "No editor took it: $VISUAL or $EDITOR names one.";
    else composer.replace(text.replace(/\n$/, ""));
    pace.soon();
  }

  async function stop(): Promise<void> {
    await elsewhere(() => tty.suspend());
  }

  /** Somebody else has the terminal meanwhile. */
  async function elsewhere<Value>(work: () => Promise<Value>): Promise<Value> {
    stage.leave();
    away = true;
    try {
      return await work();
    } finally {
      away = false;
      pace.now();
    }
  }

  return {
    tellsAbove: true,
    keys: keys.trimEnd(),
    show: transcript.show,
    recall: transcript.recall,
    tell: (markdown) => transcript.add([{ type: "told", markdown }]),
    print: (lines) => transcript.add([{ type: "lines", lines, tone: "plain" }]),
    entered: (text) => transcript.add([{ type: "asked", text }]),
    ask: dialogs.ask,
    choose: dialogs.choose,
    setStatus(next) {
      if (next.working && status?.working !== true) since = performance.now();
      status = next;
      pace.soon();
    },
    clear() {
      transcript.clear();
      stage.clear();
      pace.soon();
    },
    draft(text) {
      composer.putBefore(text);
      pace.soon();
    },
    async read(who) {
      person = who;
      if (closed) return;
      tty.hold();
      pace.now();
      await reading.promise;
    },
    close() {
      if (closed) return;
      pace.stop();
      // What is finished is on the screen before the live rows go.
      stage.frame(transcript.takeRows(), [], undefined);
      stage.leave();
      closed = true;
      composer.close();
      tty.close();
      reading.resolve();
    },
  };
}
