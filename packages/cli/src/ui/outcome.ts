/** What came of a turn, in the sentences that plain lines and the terminal interface share. */

import { totalTokens, type Event, type Spent, type Usage } from "@croft/harness";
import { escapeLine } from "./escape.ts";
import { grouped, money } from "./numbers.ts";
import type { Paint } from "./paint.ts";
import { plural } from "./plural.ts";
import { reasons } from "./reasons.ts";

type Citation = Extract<Event, { type: "citation" }>;
type Compaction = Extract<Event, { type: "compaction" }>;
type Stop = Extract<Event, { type: "stop" }>;
export type Verification = Extract<Event, { type: "check" }>["result"];

/** What became of a request for notes. */
export function compactionLine({ replaced, usage }: Compaction): string {
  const tokens = `${grouped(totalTokens(usage))} tokens`;
  if (replaced === undefined) return `the conversation is long: notes were asked for, and there are none (${tokens})`;
  return `the conversation is long: ${plural(replaced.upTo, "message")} gave way to the model's notes (${tokens})`;
}

/** Whether anything was verified, or should have been. */
export function isVerdict(result: Verification): boolean {
  return !result.pass || result.note !== undefined;
}

/** The citations that are not what they should be, and how many are. */
export function citationLines(citations: readonly Citation[], paint: Paint): string[] {
  if (citations.length === 0) return [];
  const bad = citations.filter(({ state }) => state !== "verified");
  return [
    ...bad.map(({ ref, state, reason }) => {
      const word = state === "broken" ? "BROKEN" : state;
      return paint.bad(`${word} ${escapeLine(ref)}${reason === undefined ? "" : `: ${escapeLine(reason)}`}`);
    }),
    paint.dim(`${citations.length - bad.length} of ${plural(citations.length, "citation")} verified`),
  ];
}

/** In one word. */
export function verdictWord(result: Verification): string {
  if (!result.pass) return "check failed";
  return result.unverified === true ? "unverified" : "verified";
}

/** Why a turn ended that was not done, and the next step. */
export function stopLine({ status, failure }: Stop): string {
  if (failure === undefined) return `croft: ${reasons[status]}`;
  const remedy = failure.remedy === undefined ? "" : ` ${failure.remedy}`;
  return `croft: ${escapeLine(`${failure.message}${remedy} (${failure.code})`)}`;
}

/** `changed`: files. `tokens`: how what was used is told. */
export type TurnTotals = {
  changed: number;
  /** What the session had spent before. */
  earlier: Spent | undefined;
  verification: Verification | undefined;
  tokens: (usage: Usage) => string;
};

/** How a turn ended, and what it took. */
export function totalsLine({ status, steps, usage, dollars, unasked }: Stop, totals: TurnTotals): string {
  const { changed, earlier, verification, tokens } = totals;
  const before = earlier?.dollars === undefined || dollars === undefined ? undefined : earlier.dollars + dollars;
  const whole = before === undefined ? "" : ` (${money(before)} in this session)`;
  const parts = [
    plural(steps, "step"),
    ...(changed === 0 ? [] : [`${plural(changed, "file")} changed`]),
    ...(verification === undefined ? [] : [verdictWord(verification)]),
    ...(unasked === undefined ? [] : [unaskedText(unasked)]),
    tokens(usage),
    dollars === undefined ? "cost unknown" : money(dollars) + whole,
  ];
  return `${status}: ${parts.join(", ")}`;
}

/** What was refused because nobody could be asked, and what allows it. */
export function unaskedText({ coveredByYes, personOnly }: NonNullable<Stop["unasked"]>): string {
  const refused = `${plural(coveredByYes + personOnly, "action")} refused as nobody could be asked`;
  if (coveredByYes === 0) return `${refused} (run it on a terminal)`;
  return personOnly === 0 ? `${refused} (--yes allows that)` : `${refused} (--yes allows ${coveredByYes} of them)`;
}
