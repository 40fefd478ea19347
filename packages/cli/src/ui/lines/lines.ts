/** A chat in plain lines: for dumb terminals, screen readers, and whoever likes it so. Nothing that is shown is drawn anew. */

import { setTimeout } from "node:timers/promises";
import type { Choice, Person, Screen, ChatStatus } from "../../chat/screen.ts";
import type { Input } from "../../io.ts";
import { noLimits, usualLimits } from "../changes.ts";
import { escapeText } from "../escape.ts";
import type { Output } from "../output.ts";
import type { Paint } from "../paint.ts";
import { pending } from "../pending.ts";
import { plain } from "../plain.ts";
import { actionLines } from "../question.ts";
import { openEditor, type Editor } from "./editor.ts";
import { choiceLines, chosenIn, meaningOf, numberedFor } from "./numbered.ts";
import { streamed } from "./streamed.ts";
import keys from "../../words/lines-keys.md";

export type LinesOptions = {
  input: Input;
  out: Output;
  err: Output;
  paint: Paint;
  columns: () => number | undefined;
  canMove: boolean;
  /** Whether answers go to the same terminal: they are then shown as they come. */
  streams: boolean;
};

/** Milliseconds in which what is entered before a question is no answer to it. */
const lateMs = 30;
/** Milliseconds without a key behind which whoever was writing has seen what is asked. */
const pauseMs = 400;

/**
 * A line that is waited for, with what was being written when it was asked for. `isSeen`: what is written now began
 * behind a pause, so that it is meant for it; undefined while nothing is.
 */
type Question = { prompt: string; typed: string; isSeen: boolean | undefined; answer: (line: string) => void };

const prompts: Readonly<Record<ChatStatus["mode"], string>> = { read: "> ", plan: "plan> ", ask: "> ", yes: "yes> " };

/** Nothing is read before `read`. */
export function openLines({ input, out, err, paint, columns, canMove, streams }: LinesOptions): Screen {
  let editor: Editor | undefined;
  let status: ChatStatus | undefined;
  /** Waits for a line, in front of the person. */
  let question: Question | undefined;
  /** When something was last asked, or a key pressed: milliseconds. */
  let touched = 0;
  let draft: string[] = [];
  /** A draft for the editor that is to come. */
  let ahead = "";
  let leaving = false;
  let ended: (() => void) | undefined;
  /** Whatever was asked for and is not there when the screen closes is no longer waited for. */
  const closing = new AbortController();

  const above = (output: Output): Output => ({
    ...output,
    write: (text) => (editor === undefined ? output.write(text) : editor.above(() => output.write(text))),
  });
  const told = above(err);
  const shows = plain(above(out), told, paint, { inChat: true });
  const show = streams ? streamed(above(out), shows) : shows;

  function prompt(): void {
    const waits = question?.prompt ?? (status?.working === true ? "" : prompts[status?.mode ?? "ask"]);
    editor?.prompt(draft.length > 0 && question === undefined ? ". " : waits);
  }

  /** Puts a question; what was being typed comes back behind it. Rejects when the signal fires. */
  async function answerTo(text: string, signal: AbortSignal): Promise<string> {
    return pending(signal, (answer) => {
      const asked: Question = { prompt: text, typed: editor?.take() ?? "", isSeen: undefined, answer };
      question = asked;
      touched = performance.now();
      prompt();
      return () => {
        question = undefined;
        prompt();
        if (asked.typed !== "") editor?.insert(asked.typed);
      };
    });
  }

  function onKeys(): void {
    const now = performance.now();
    if (question !== undefined) question.isSeen ??= now - touched >= pauseMs;
    touched = now;
  }

  /** What somebody goes on writing who has not looked up is no answer: it is a part of their message. */
  function answerWith(asked: Question, line: string): void {
    if (asked.typed === "" || asked.isSeen === true) return asked.answer(line);
    asked.typed += line;
    asked.isSeen = undefined;
    told.write("That is in your message; the question hears what is typed behind a pause.\n");
    prompt();
  }

  function onLine(line: string, person: Person): void {
    leaving = false;
    if (question !== undefined) return answerWith(question, line);
    const isContinued = line.endsWith("\\");
    draft.push(isContinued ? line.slice(0, -1) : line);
    if (!isContinued) person.enter(draft.splice(0).join("\n"), "now");
    prompt();
  }

  function onInterrupt(person: Person, wasTyping: boolean): void {
    const hadDraft = draft.splice(0).length > 0;
    if (person.interrupt()) leaving = false;
    else if (wasTyping || hadDraft) leaving = false;
    else if (leaving) return person.leave();
    else {
      leaving = true;
      told.write("Ctrl+C again, or /exit, leaves.\n");
    }
    prompt();
  }

  return {
    tellsAbove: false,
    keys: keys.trimEnd(),
    show,
    recall(events) {
      const again = plain(told, told, paint, { inChat: true });
      for (const event of events) {
        if (event.type === "start") told.write(`> ${escapeText(event.task)}\n`);
        again(event);
      }
    },
    tell: (markdown) => told.write(`${escapeText(markdown)}\n`),
    print: (lines) => told.write(lines.map((line) => `${escapeText(line)}\n`).join("")),
    entered() {}, // it stands where it was typed
    async ask(action, signal) {
      await setTimeout(lateMs);
      for (let limits = usualLimits; ; limits = noLimits) {
        const { lines, hidden } = actionLines(action, paint, limits);
        const { prompt, meanings } = numberedFor(action, hidden);
        told.write([...lines, ...(hidden > 0 ? [`   … (+${hidden} more)`] : []), ""].join("\n"));
        const meaning = meaningOf(await answerTo(prompt, signal), action, meanings);
        if (meaning !== "all") return meaning;
      }
    },
    async choose(choice: Choice, signal) {
      told.write(`${choiceLines(choice).join("\n")}\n`);
      return chosenIn(await answerTo("Number, or nothing: ", signal), choice);
    },
    setStatus(now) {
      status = now;
      prompt();
    },
    clear() {}, // lines that were read are not taken away
    draft(text) {
      if (editor === undefined) ahead = text;
      else editor.insert(text);
    },
    async read(person) {
      if (closing.signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      ended = resolve;
      editor = openEditor({
        input,
        err,
        columns,
        canMove,
        history: person.history(),
        async complete(line, cursor) {
          const found = await person.complete(line, cursor, closing.signal);
          return { from: found[0]?.from ?? cursor, inserts: found.map(({ insert }) => insert) };
        },
        onKeys,
        onLine: (line) => onLine(line, person),
        onInterrupt: (wasTyping) => onInterrupt(person, wasTyping),
        onEnd: resolve,
      });
      prompt();
      editor.insert(ahead);
      await promise;
    },
    close() {
      closing.abort();
      editor?.close();
      editor = undefined;
      ended?.();
    },
  };
}
