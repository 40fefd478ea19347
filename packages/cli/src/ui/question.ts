/** A question to a person: all there is to judge an action by, and what an answer means. */

import type { Action } from "@croft/harness";
import { changesShown, placeShown, type Shown } from "./changes.ts";
import { escapeLine, escapeText } from "./escape.ts";
import type { Paint } from "./paint.ts";

/** What is about to happen. `whole`: nothing is left out. */
export function actionShown(action: Action, paint: Paint, whole: boolean): Shown {
  if (action.kind === "write") return changesShown(action.changes, paint, whole);
  if (action.kind === "run") return { lines: commandShown(action), hidden: 0 };
  const pattern = action.kind === "search" ? ` for ${escapeLine(action.pattern)}` : "";
  return { lines: [`   ${action.kind} ${placeShown(action)}${pattern}`], hidden: 0 };
}

/** The line that waits for the answer. */
export function promptFor(action: Action, hidden: number): string {
  const more = hidden === 0 ? "" : `   … (+${hidden} more lines: d shows all of it)\n`;
  return `${more}${askedOf(action)} [y/N, or say why not] `;
}

/** Names the place once more: a long diff may have pushed it off the screen. */
function askedOf(action: Action): string {
  if (action.kind === "run") return "Run it?";
  if (action.kind !== "write") return "Allow it?";
  const [change, ...more] = action.changes;
  const first = escapeLine(change?.path ?? change?.asked ?? "");
  return more.length === 0 ? `Apply to ${first}?` : `Apply to ${first} and ${more.length} more?`;
}

export type Answer = { allowed: boolean; note?: string | undefined };

/** Only y and yes approve. What else is typed is the reason, and the model gets it. */
export function answerOf(line: string): Answer {
  const said = line.trim();
  if (/^y(?:es)?$/i.test(said)) return { allowed: true };
  if (/^(?:no?)?$/i.test(said)) return { allowed: false };
  return { allowed: false, note: /[.!?…]$/u.test(said) ? said : `${said}.` };
}

/** A command whole, with where it runs and what it may reach. */
function commandShown({ command, cwd, outside, hosts, verdict }: Action & { kind: "run" }): string[] {
  const words = typeof command === "string" ? escapeText(command).split("\n") : [command.map(quoted).join(" ")];
  return [
    ...words.map((line) => `   $ ${line}`),
    ...(cwd === "." ? [] : [`   in ${escapeLine(cwd)}`]),
    ...(verdict.decision === "ask" ? [`   rule: ${escapeLine(verdict.rule)}`] : []),
    ...(outside === undefined ? [] : [`   outside the sandbox: ${escapeLine(outside)}`]),
    ...(hosts.length === 0 ? [] : [`   reaching ${hosts.map(escapeLine).join(", ")}`]),
  ];
}

/** A word as a shell would take it back. */
function quoted(word: string): string {
  const shown = escapeLine(word);
  return /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}
