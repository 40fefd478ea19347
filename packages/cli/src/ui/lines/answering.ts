/** One line that is waited for, in front of a person who may be writing something else and has not looked up. */

import { pending } from "../pending.ts";
import { pauseMs } from "../question.ts";
import type { Editor } from "./editor.ts";

/**
 * `typed`: what was being written when it was asked for. `isSeen`: what is written now began behind a pause, so that it
 * is meant for it; undefined while nothing is.
 */
type Question = { prompt: string; typed: string; isSeen: boolean | undefined; answer: (line: string) => void };

export type Answering = {
  /** What stands in front of the line; undefined while none is waited for. */
  prompt(): string | undefined;
  /** Waits for a line; what was being typed comes back behind it. Rejects when the signal fires. */
  ask(prompt: string, signal: AbortSignal): Promise<string>;
  onKeys: () => void;
  /** Whether the line was for the question, or came while it stood. */
  take(line: string): boolean;
};

export type AnsweringOptions = {
  /** Undefined as long as nothing is read. */
  editor: () => Editor | undefined;
  /** A line is waited for, or no longer. */
  changed: () => void;
  tell: (line: string) => void;
};

export function createAnswering({ editor, changed, tell }: AnsweringOptions): Answering {
  let question: Question | undefined;
  /** When something was last asked, or a key pressed: milliseconds. */
  let touched = 0;

  /** What somebody goes on writing who has not looked up is no answer: it is a part of their message. */
  function answerWith(asked: Question, line: string): void {
    if (asked.typed === "" || asked.isSeen === true) return asked.answer(line);
    asked.typed += line;
    asked.isSeen = undefined;
    tell("That is in your message; the question hears what is typed behind a pause.");
    changed();
  }

  return {
    prompt: () => question?.prompt,
    ask(prompt, signal) {
      return pending(signal, (answer) => {
        const asked: Question = { prompt, typed: editor()?.take() ?? "", isSeen: undefined, answer };
        question = asked;
        touched = performance.now();
        changed();
        return () => {
          question = undefined;
          changed();
          if (asked.typed !== "") editor()?.insert(asked.typed);
        };
      });
    },
    onKeys() {
      const now = performance.now();
      if (question !== undefined) question.isSeen ??= now - touched >= pauseMs;
      touched = now;
    },
    take(line) {
      if (question === undefined) return false;
      answerWith(question, line);
      return true;
    },
  };
}
