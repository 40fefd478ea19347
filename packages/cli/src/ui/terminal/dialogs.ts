/** What a person is asked, and their keys while they are: one question or one list at a time. */

import type { Answer, Ask } from "@croft/harness";
import type { Choice } from "../../chat/screen.ts";
import { usualLimits } from "../changes.ts";
import { pending } from "../pending.ts";
import type { Block } from "./block.ts";
import type { Choosing } from "./live.ts";
import { answeredBlock, asleep, put, questionBlocks, questionFor, woken, type Question } from "./question.ts";
import { chosen, chosenBy } from "./select.ts";
import type { Typed } from "./typing.ts";

export type DialogsOptions = {
  /** What stays on the screen of a question and its answer. */
  add: (blocks: readonly Block[]) => void;
  /** Something is asked, or no longer. */
  changed: () => void;
  /** The person wants no more questions about ordinary changes. */
  forAll: () => void;
  /** Columns for a reason that is written. */
  width: () => number;
};

export type Dialogs = {
  question(): Question | undefined;
  choosing(): Choosing | undefined;
  ask: Ask;
  choose: (choice: Choice, signal: AbortSignal) => Promise<string | undefined>;
  /** Whether it was for what is asked. A question that a person has not seen for a moment yet takes nothing. */
  take(token: Typed, now: number): boolean;
};

export function openDialogs({ add, changed, forAll, width }: DialogsOptions): Dialogs {
  let asked: { question: Question; answer: (answer: Answer) => void } | undefined;
  let choosing: (Choosing & { choose: (value: string | undefined) => void }) | undefined;

  /** Whether the token was for the question. */
  function answer(open: NonNullable<typeof asked>, token: Typed, now: number): boolean {
    const next = put(open.question, token, width());
    if (next === undefined) {
      // Text that is no answer belongs to a message somebody writes who has not looked up: the Enter behind it is no yes.
      if (token.type !== "key") open.question = asleep(open.question, now);
      return token.type === "key";
    }
    open.question = next.question;
    if (next.blocks !== undefined) add(next.blocks);
    if (next.answer === undefined) return true;
    asked = undefined; // whatever else is typed is no second answer
    add([answeredBlock(next, next.answer)]);
    if (next.forAll === true) forAll();
    open.answer(next.answer);
    return true;
  }

  function choose(open: NonNullable<typeof choosing>, token: Typed): void {
    const { select } = open;
    if (token.type === "key" && (token.key === "escape" || token.key === "ctrl+c")) return open.choose(undefined);
    const next = token.type === "key" ? chosen(select, token.key) : chosenBy(select, token.text);
    if (next === undefined) return;
    open.select = next.select;
    if (next.value !== undefined) open.choose(next.value);
  }

  return {
    question: () => asked?.question,
    choosing: () => choosing,
    async ask(action, signal) {
      add(questionBlocks(action, usualLimits));
      return pending<Answer>(signal, (answer) => {
        asked = { question: questionFor(action, performance.now()), answer };
        changed();
        return () => {
          asked = undefined;
          changed();
        };
      });
    },
    async choose({ title, items }, signal) {
      return pending<string | undefined>(signal, (choose) => {
        choosing = { title, select: { items, selected: 0, words: "" }, choose };
        changed();
        return () => {
          choosing = undefined;
          changed();
        };
      });
    },
    take(token, now) {
      if (asked !== undefined) {
        asked.question = woken(asked.question, now);
        // What is typed on goes where it was meant to go; keys that could send it do nothing.
        if (!asked.question.awake) return token.type === "key";
        return answer(asked, token, now);
      }
      if (choosing !== undefined) choose(choosing, token);
      return choosing !== undefined;
    },
  };
}
