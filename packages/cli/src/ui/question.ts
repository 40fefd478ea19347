/** A question to a person: all there is to judge an action by, and what an answer means. */

import { canBeKept, type Action, type Answer } from "@croft/harness";
import { changeLines, placeText, type LimitedLines, type DiffLimits } from "./changes.ts";
import { escapeLine, escapeText } from "./escape.ts";
import type { Paint } from "./paint.ts";
import { plural } from "./plural.ts";
import { isMixed, spelled } from "./scripts.ts";

/** Milliseconds without a key behind which whoever was writing something else has seen what is asked: then keys count. */
export const pauseMs = 400;

/** What is about to happen. Only changes of files are ever cut. */
export function actionLines(action: Action, paint: Paint, limits: DiffLimits): LimitedLines {
  if (action.kind === "write") return changeLines(action.changes, paint, limits);
  if (action.kind === "run") return { lines: commandLines(action), hidden: 0 };
  const pattern = action.kind === "search" ? ` for ${escapeLine(action.pattern)}` : "";
  return { lines: [`   ${action.kind} ${placeText(action)}${pattern}`], hidden: 0 };
}

/** The line that waits for the answer. */
export function promptFor(action: Action, hidden: number): string {
  const more = hidden === 0 ? "" : `   … (+${plural(hidden, "more line")}: d shows all of it)\n`;
  const always = canBeKept(action) ? ", a for always just this" : "";
  return `${more}${askedOf(action)} [y/N${always}, or say why not] `;
}

/** Names the place once more: a long diff may have pushed it off the screen. */
export function askedOf(action: Action): string {
  if (action.kind === "run") return "Run it?";
  if (action.kind !== "write") return "Allow it?";
  const [change, ...more] = action.changes;
  const first = escapeLine(change?.path ?? change?.asked ?? "");
  return more.length === 0 ? `Apply to ${first}?` : `Apply to ${first} and ${more.length} more?`;
}

/** Only y and yes approve, and where it counts a and always. What else is typed is the reason, and the model gets it. */
export function answerOf(line: string, action: Action): Answer {
  const said = line.trim();
  if (canBeKept(action) && /^a(?:lways)?$/i.test(said)) return { allowed: true, always: true };
  if (/^y(?:es)?$/i.test(said)) return { allowed: true };
  if (/^(?:no?)?$/i.test(said)) return { allowed: false };
  return { allowed: false, note: /[.!?…]$/u.test(said) ? said : `${said}.` };
}

/** A command whole, with where it runs, why it is asked about, what it may reach and what of the project it runs. */
function commandLines(action: Action & { kind: "run" }): string[] {
  const { command, cwd, outside, hosts, verdict, enclosed, programs } = action;
  const words = typeof command === "string" ? escapeText(command).split("\n") : [command.map(quoted).join(" ")];
  const mixed = (typeof command === "string" ? command.split(/\s+/) : command).filter(isMixed);
  return [
    ...words.map((line) => `   $ ${line}`),
    ...mixed.map((word) => `   letters of several scripts: ${escapeLine(spelled(word))}`),
    ...(cwd === "." ? [] : [`   in ${escapeLine(cwd)}`]),
    ...(verdict.decision === "allow" ? [] : [`   why: ${escapeLine(verdict.rule)}`]),
    ...(outside === undefined ? [] : [`   outside the sandbox: ${escapeLine(outside)}`]),
    ...(outside === undefined && !enclosed ? ["   without a sandbox"] : []),
    ...(hosts.length === 0 ? [] : [`   reaching ${hosts.map(escapeLine).join(", ")}`]),
    ...programs.map(({ path, hash }) => `   with ${escapeLine(path)} as it is now (${hash.slice(0, 12)})`),
  ];
}

/** A word as a shell would take it back. */
function quoted(word: string): string {
  const shown = escapeLine(word);
  return /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}
