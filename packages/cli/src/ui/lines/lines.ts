/** A chat in plain lines: for dumb terminals, screen readers, and whoever likes it so. Nothing that is shown is drawn anew. */

import { setTimeout } from "node:timers/promises";
import type { Choice, Person, Screen, ChatStatus } from "../../chat/screen.ts";
import type { Input } from "../../io.ts";
import { noLimits, usualLimits } from "../changes.ts";
import { escapeText } from "../escape.ts";
import type { Output } from "../output.ts";
import type { Paint } from "../paint.ts";
import { plain } from "../plain.ts";
import { actionLines } from "../question.ts";
import { createAnswering } from "./answering.ts";
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

const prompts: Readonly<Record<ChatStatus["mode"], string>> = { read: "> ", plan: "plan> ", ask: "> ", yes: "yes> " };

/** Nothing is read before `read`. */
export function openLines({ input, out, err, paint, columns, canMove, streams }: LinesOptions): Screen {
  let editor: Editor | undefined;
  let status: ChatStatus | undefined;
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
  const answering = createAnswering({
    editor: () => editor,
    changed: prompt,
    tell: (line) => told.write(`${line}\n`),
  });

  function prompt(): void {
    const usual = status?.working === true ? "" : prompts[status?.mode ?? "ask"];
    editor?.prompt(answering.prompt() ?? (draft.length > 0 ? ". " : usual));
  }

  function onLine(line: string, person: Person): void {
    leaving = false;
    if (answering.take(line)) return;
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
        const meaning = meaningOf(await answering.ask(prompt, signal), action, meanings);
        if (meaning !== "all") return meaning;
      }
    },
    async choose(choice: Choice, signal) {
      told.write(`${choiceLines(choice).join("\n")}\n`);
      return chosenIn(await answering.ask("Number, or nothing: ", signal), choice);
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
        onKeys: answering.onKeys,
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
