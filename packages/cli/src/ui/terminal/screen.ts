/**
 * The screen of an interactive session on a terminal. What is finished is written once; a few rows below it are live.
 * Holds what is shown and who is asked; what it looks like and what keys mean stands in the files beside it.
 */

import type { Event } from "@croft/harness";
import type { Person, Screen, ChatStatus } from "../../chat/screen.ts";
import { openHighlighter } from "../highlight/highlight.ts";
import { frameMs } from "../spinner.ts";
import type { Block } from "./block.ts";
import { openDialogs } from "./dialogs.ts";
import { wholeText } from "./draft.ts";
import { blockRows, type Page } from "./draw.ts";
import { liveRows } from "./live.ts";
import type { Row } from "./look.ts";
import { openPace } from "./pace.ts";
import {
  emptyPrompt,
  offered,
  pasted,
  pressed,
  typed,
  withText,
  withTextBefore,
  type Prompt,
  type Stepped,
} from "./prompt.ts";
import { openStage } from "./stage.ts";
import { openTty, type TtyInput, type TtyOutput } from "./tty.ts";
import type { Typed } from "./typing.ts";
import { emptyView, folded, type View } from "./view.ts";
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

  let view: View = emptyView;
  let prompt: Prompt = emptyPrompt;
  let status: ChatStatus | undefined;
  let person: Person | undefined;
  let hint = "";
  let warned = 0;
  let since = 0;
  let unfolded = 0;
  let last: Block | undefined;
  let rows: Row[] = [];
  /** Somebody else has the terminal. */
  let away = false;
  let closed = false;
  let completing: AbortController | undefined;

  const page = (): Page => ({ width: surface.columns, highlight });
  const draftWidth = (): number => surface.columns - 3;
  const pace = openPace(draw);
  const dialogs = openDialogs({ add, changed: pace.soon, width: draftWidth });

  function add(blocks: readonly Block[]): void {
    for (const block of blocks) {
      for (const row of blockRows(block, last, page())) rows.push(row);
      last = block;
    }
    pace.soon();
  }

  function draw(now: number): void {
    if (away) return;
    const history = prompt.search === undefined ? [] : (person?.history() ?? []);
    const question = dialogs.question();
    const choosing = dialogs.choosing();
    const scene = { view, prompt, question, choosing, status, hint, history, since, now };
    const live = liveRows(scene, surface, page());
    stage.frame(rows, live.rows, live.cursor);
    rows = [];
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
      else write(token);
      if (dialogs.question() !== undefined) hint = "That is in your message; the question hears keys behind a pause.";
    }
    pace.soon();
  }

  function write(token: Exclude<Typed, { type: "key" }>): void {
    stepped(token.type === "paste" ? pasted(prompt, token.text) : typed(prompt, token.text, around()));
  }

  function press(key: string, now: number): void {
    const { draft } = prompt.pad;
    const idle = draft.text === "" && prompt.search === undefined && prompt.popup === undefined;
    if (key === "up" && idle && status !== undefined && status.queued.length > 0) {
      const text = person?.retract();
      if (text !== undefined) prompt = withText(prompt, text);
      return;
    }
    if (key === "ctrl+d" && idle) return person?.leave();
    const next = key === "ctrl+c" ? undefined : pressed(prompt, key, around());
    if (next !== undefined) return stepped(next);
    const act = acts[key];
    if (act !== undefined) act(now);
  }

  /** The keys that are no editing. */
  const acts: Readonly<Record<string, (now: number) => void>> = {
    "ctrl+c": (now) => {
      if (prompt.search !== undefined) prompt = { ...prompt, search: undefined };
      // Who presses it again in impatience wants the turn to end, not croft.
      else if (person?.interrupt() === true) warned = 0;
      else if (prompt.pad.draft.text !== "") prompt = withText(prompt, "");
      else if (warned > 0 && now - warned < twiceMs) person?.leave();
      else {
        warned = now;
        hint = "Ctrl+C again leaves.";
      }
    },
    escape: () => void person?.interrupt(),
    "shift+tab": () => person?.nextMode(),
    "ctrl+l": () => stage.clear(),
    "ctrl+o": unfold,
    "ctrl+g": () => void editElsewhere(),
  };

  function around(): { history: readonly string[]; width: number } {
    return { history: person?.history() ?? [], width: draftWidth() };
  }

  function stepped(next: Stepped): void {
    prompt = next.prompt;
    completing?.abort();
    if (next.wish?.type === "enter") person?.enter(next.wish.text, next.wish.when);
    if (next.wish?.type === "complete") void complete();
  }

  /** Asks for completions; an answer to what is no longer there is dropped. */
  async function complete(): Promise<void> {
    const { text, cursor } = prompt.pad.draft;
    const current = new AbortController();
    completing = current;
    const items = await person?.complete(text, cursor, current.signal).catch(() => []);
    const { draft } = prompt.pad;
    if (items === undefined || current.signal.aborted || draft.text !== text || draft.cursor !== cursor) return;
    prompt = offered(prompt, items);
    pace.soon();
  }

  /** The last call in full; pressed again, the one before it. */
  function unfold(): void {
    const ended = view.records.filter(({ result }) => result !== undefined);
    const record = ended[ended.length - 1 - unfolded];
    if (record === undefined) {
      hint = ended.length === 0 ? "There is no call to unfold yet." : "There is no earlier call.";
      return;
    }
    unfolded += 1;
    add([{ type: "record", name: record.name, input: record.input, result: record.result ?? "" }]);
    hint = "Ctrl+O again unfolds the call before it.";
  }

  async function editElsewhere(): Promise<void> {
    const before = wholeText(prompt.pad.draft);
    const text = await elsewhere(async () => {
      tty.release();
      try {
        return await person?.edit(before);
      } finally {
        if (!closed) tty.hold();
      }
    });
    if (text === undefined) hint = "No editor took it: $VISUAL or $EDITOR names one.";
    else prompt = withText(prompt, text.replace(/\n$/, ""));
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
    show(event: Event) {
      const next = folded(view, event, performance.now());
      view = next.view;
      if (event.type === "tool_result") unfolded = 0;
      add(next.blocks);
    },
    recall(events) {
      for (const event of events) {
        const next = folded(view, event, event.ms);
        view = next.view;
        add(next.blocks);
      }
      view = { ...emptyView, records: view.records };
    },
    tell(markdown) {
      add([{ type: "told", markdown }]);
    },
    print(lines) {
      add([{ type: "lines", lines, tone: "plain" }]);
    },
    entered(text) {
      add([{ type: "asked", text }]);
    },
    ask: dialogs.ask,
    choose: dialogs.choose,
    setStatus(next) {
      const now = performance.now();
      const worked = status?.working === true;
      if (next.working && !worked) since = now;
      status = next;
      pace.soon();
    },
    clear() {
      rows = [];
      last = undefined;
      stage.clear();
      pace.soon();
    },
    draft(text) {
      prompt = withTextBefore(prompt, text);
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
      stage.frame(rows, [], undefined);
      stage.leave();
      closed = true;
      completing?.abort();
      tty.close();
      reading.resolve();
    },
  };
}
