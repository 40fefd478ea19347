/** What a trace comes to, for a person at a terminal. */

import { totalTokens } from "@croft/harness";
import type { CappedList, Totals } from "../trace/totals.ts";
import { countersText } from "./cost.ts";
import { escapeLine } from "./escape.ts";
import { duration, grouped, money } from "./numbers.ts";
import type { Paint } from "./paint.ts";
import { plural } from "./plural.ts";

/** Lines of one list, and characters of one text. */
const listMost = 20;
const textMost = 100;
/** Columns of the names of tools at least. */
const nameLeast = 16;

/** In sections; one with nothing in it is left out. */
export function totalsLines(totals: Totals, paint: Paint): string[] {
  const { session, root, task, models, turns, steps, tools, files, commands, checks, citations } = totals;
  const nameWidth = tools.reduce((most, { name }) => Math.max(most, short(name).length + 2), nameLeast);
  return [
    short(task),
    paint.dim(`${short(session)}, ${models.map(short).join(", ")} in ${short(root)}`),
    "",
    ...spentLines(totals),
    ...section(`${plural(turns.count, "turn")}, ${plural(steps, "step")}`, turns, (turn) => {
      const ended = turn.status.padEnd(14);
      const painted = turn.status === "done" ? paint.good(ended) : paint.bad(ended);
      return `${painted}${plural(turn.steps, "step").padStart(9)}  ${short(turn.task)}`;
    }),
    ...section("tools", listed(tools), ({ name, calls, failed, ms }) => {
      const errors = failed === 0 ? "" : paint.bad(`  ${failed} failed`);
      return `${short(name).padEnd(nameWidth)}${plural(calls, "call").padStart(9)}${duration(ms).padStart(10)}${errors}`;
    }),
    ...section(
      "files",
      files,
      ({ became, path, added, removed }) => `${became} ${short(path)} (+${added} -${removed})`,
    ),
    ...section("commands", commands, ({ outcome, failed, ms, command }) => {
      const ended = outcome.padEnd(10);
      return `${failed ? paint.bad(ended) : paint.good(ended)}${duration(ms).padStart(10)}  ${short(command)}`;
    }),
    ...section("checks", checks, ({ name, passed, unverified = false, says }) => {
      const ended = unverified ? "unverified" : passed ? paint.good("passed") : paint.bad("failed");
      return `${ended}  ${short(name)}${says === "" ? "" : `: ${short(says)}`}`;
    }),
    ...citationLines(citations, paint),
    ...damageLines(totals.damage, paint),
  ];
}

/** Time, tokens and cost. */
function spentLines({ time, tokens, dollars }: Totals): string[] {
  const parts = [
    `model ${duration(time.model)}`,
    `tools ${duration(time.tools)}`,
    `checks ${duration(time.checks)}`,
    `waiting for you ${duration(time.person)}`,
  ];
  return [
    `time     ${duration(time.whole)}: ${parts.join(", ")}`,
    `tokens   ${grouped(totalTokens(tokens))}: ${countersText(tokens)}`,
    `cost     ${money(dollars)}`,
  ];
}

function citationLines({ states, doubts }: Totals["citations"], paint: Paint): string[] {
  const counts = Object.entries(states).map(([state, count]) => `${count} ${escapeLine(state)}`);
  if (counts.length === 0) return [];
  return [
    "",
    `citations  ${counts.join(", ")}`,
    ...items(doubts, ({ ref, state, reason }) => {
      return `${paint.bad(short(state))}  ${short(ref)}${reason === "" ? "" : `: ${short(reason)}`}`;
    }),
  ];
}

function damageLines({ unreadable, altered }: Totals["damage"], paint: Paint): string[] {
  const told = (what: string, { count, first }: CappedList<number>): string[] => {
    const more = count > listMost ? `, … (${count} in all)` : "";
    return count === 0 ? [] : [paint.bad(`${what}: ${first.slice(0, listMost).join(", ")}${more}`)];
  };
  const lines = [
    ...told("lines that cannot be read", unreadable),
    ...told("lines that were changed after they were written", altered),
  ];
  return lines.length === 0 ? [] : ["", ...lines];
}

function section<Entry>(title: string, list: CappedList<Entry>, line: (entry: Entry) => string): string[] {
  return list.count === 0 ? [] : ["", title, ...items(list, line)];
}

function items<Entry>({ count, first }: CappedList<Entry>, line: (entry: Entry) => string): string[] {
  const shown = first.slice(0, listMost);
  const rest = count - shown.length;
  return [...shown.map((entry) => `  ${line(entry)}`), ...(rest > 0 ? [`  … (${rest} more)`] : [])];
}

function listed<Entry>(entries: readonly Entry[]): CappedList<Entry> {
  return { count: entries.length, first: entries };
}

/** The first line, cut. */
function short(text: string): string {
  const [line = ""] = text.trimStart().split("\n", 1);
  return escapeLine(line.slice(0, textMost)) + (line.length > textMost ? "…" : "");
}
