/**
 * One action put to a person: what stays on the screen of it, what can be answered, and which keys count. Keys typed on
 * from before it was there do not: only what follows a moment in which nothing was typed.
 */

import { canBeKept, type Action, type Answer } from "@croft/harness";
import { noLimits, usualLimits, type DiffLimits } from "../changes.ts";
import { noPaint } from "../paint.ts";
import { actionLines, answerOf, askedOf, pauseMs } from "../question.ts";
import type { Block } from "./block.ts";
import { hiddenIn } from "./draw-changes.ts";
import { insert, wholeText } from "./draft.ts";
import { edited, emptyBuffer, withDraft, type EditBuffer } from "./edits.ts";
import type { Token } from "./keys.ts";
import { chosen, chosenBy, type Item, type Select } from "./select.ts";

export type Question = {
  readonly action: Action;
  readonly select: Select;
  /** What the person writes as the reason of a no. */
  readonly reason: EditBuffer | undefined;
  /** When a key was last pressed, or the question came up: milliseconds. */
  readonly touched: number;
  /** Keys count. */
  readonly awake: boolean;
};

/** `forAll`: the person wants no more questions such as this one. */
export type Put = {
  question: Question;
  answer?: Answer | undefined;
  forAll?: true | undefined;
  blocks?: readonly Block[] | undefined;
};

/** Not next to "yes": who goes down by one from there wants no such thing. */
const ordinary: Item = {
  value: "forAll",
  key: "e",
  label: "Yes, and ask no more about such changes: mode yes (Shift+Tab ends it)",
};

export function questionFor(action: Action, now: number): Question {
  const items: Item[] = [
    { value: "yes", key: "y", label: "Yes, this once" },
    ...(canBeKept(action) ? [{ value: "always", key: "a", label: "Always exactly this, in this project" }] : []),
    { value: "no", key: "n", label: "No" },
    { value: "reason", key: "r", label: "No, and say why" },
    ...(isOrdinary(action) ? [ordinary] : []),
    ...(hasMore(action) ? [{ value: "all", key: "d", label: "Show all of it first" }] : []),
  ];
  return { action, select: { items, selected: 0, words: undefined }, reason: undefined, touched: now, awake: false };
}

/** What is asked about, to stay on the screen above the question. */
export function questionBlocks(action: Action, limits: DiffLimits): Block[] {
  if (action.kind === "write") return [{ type: "changes", changes: action.changes, limits }];
  return [{ type: "action", lines: actionLines(action, noPaint, limits).lines.map((line) => line.slice(3)) }];
}

/** What became of it, in a line. */
export function answeredBlock({ question, forAll }: Put, { allowed, always, note }: Answer): Block {
  const { action } = question;
  const yes = forAll === true ? "yes, from now on" : always === true ? "always exactly this" : "yes, this once";
  const said = allowed ? yes : "no";
  const why = note === undefined ? "" : `: ${note}`;
  return { type: "lines", lines: [`${askedOf(action)} ${said}${why}`], tone: allowed ? "good" : "bad" };
}

/** Whether a token counts yet; where it does not, it belongs to what was being typed. */
export function woken(question: Question, now: number): Question {
  if (question.awake) return question;
  return { ...question, awake: now - question.touched >= pauseMs, touched: now };
}

/** Keys count again behind the next pause. */
export function asleep(question: Question, now: number): Question {
  return { ...question, awake: false, touched: now };
}

/** What a token makes of a question that is awake. Undefined: it means nothing here. */
export function put(question: Question, token: Exclude<Token, { type: "stray" }>, width: number): Put | undefined {
  if (question.reason !== undefined) return reasoned(question, question.reason, token, width);
  if (token.type === "paste") return undefined;
  if (token.type === "key" && token.key === "escape") return { question, answer: { allowed: false } };
  const next = token.type === "key" ? chosen(question.select, token.key) : chosenBy(question.select, token.text);
  if (next === undefined) return undefined;
  const { select, value } = next;
  switch (value) {
    case "yes":
      return { question, answer: { allowed: true } };
    case "always":
      return { question, answer: { allowed: true, always: true } };
    case "forAll":
      return { question, answer: { allowed: true }, forAll: true };
    case "no":
      return { question, answer: { allowed: false } };
    case "reason":
      return { question: { ...question, reason: emptyBuffer } };
    case "all": {
      const items = select.items.filter(({ value }) => value !== "all");
      const blocks = questionBlocks(question.action, noLimits);
      return { question: { ...question, select: { ...select, items, selected: 0 } }, blocks };
    }
    default:
      return { question: { ...question, select } };
  }
}

function reasoned(
  question: Question,
  buffer: EditBuffer,
  token: Exclude<Token, { type: "stray" }>,
  width: number,
): Put | undefined {
  if (token.type !== "key")
    return { question: { ...question, reason: withDraft(buffer, insert(buffer.draft, token.text)) } };
  if (token.key === "escape") return { question: { ...question, reason: undefined } };
  if (token.key === "enter") {
    // Whatever is said here is a no, even where it says yes.
    const said = answerOf(wholeText(buffer.draft), question.action);
    return { question, answer: { allowed: false, ...(said.note !== undefined && { note: said.note }) } };
  }
  const reason = edited(buffer, token.key, width);
  return reason === undefined ? undefined : { question: { ...question, reason } };
}

/** In the mode "yes" it would not be asked about. */
function isOrdinary(action: Action): boolean {
  return action.kind === "write" && action.changes.every(({ verdict }) => verdict?.decision === "allow");
}

function hasMore(action: Action): boolean {
  return action.kind === "write" && hiddenIn(action.changes, usualLimits) > 0;
}
