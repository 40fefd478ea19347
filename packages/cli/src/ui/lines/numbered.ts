/** Questions by number, for lines: what can be chosen, and what an answer means. */

import { canBeKept, type Action, type Answer } from "@croft/harness";
import { answerOf } from "../question.ts";
import { escapeLine } from "../escape.ts";
import type { Choice } from "../../chat/screen.ts";

/** What an answer to an action can be, by its number; "all": the rest of what is shown. */
type Meaning = Answer | "all";

/** The line that waits, and what each number means. `hidden`: lines that are left out. */
export function numberedFor(action: Action, hidden: number): { prompt: string; meanings: readonly Meaning[] } {
  const rows: readonly [string, Meaning][] = [
    ["yes", { allowed: true }],
    ...(canBeKept(action) ? [["always just this", { allowed: true, always: true }] as [string, Meaning]] : []),
    ["no", { allowed: false }],
    ...(hidden > 0 ? [["show all of it", "all"] as [string, Meaning]] : []),
  ];
  const shown = rows.map(([label], at) => `${at + 1} ${label}`).join(", ");
  return { prompt: `${shown}, or say why not: `, meanings: rows.map(([, meaning]) => meaning) };
}

/** A number, the letters that `croft run` takes, or a reason to refuse. */
export function meaningOf(line: string, action: Action, meanings: readonly Meaning[]): Meaning {
  const said = line.trim();
  if (/^\d+$/.test(said)) return meanings[Number(said) - 1] ?? { allowed: false };
  return said === "d" && meanings.includes("all") ? "all" : answerOf(said, action);
}

/** The lines of a choice. */
export function choiceLines({ title, items }: Choice): string[] {
  const rows = items.map(({ label, note }, at) => {
    const aside = note === undefined ? "" : `  (${escapeLine(note)})`;
    return `${String(at + 1).padStart(3)} ${escapeLine(label)}${aside}`;
  });
  return [escapeLine(title), ...rows];
}

/** The value of the item with the number; undefined for anything else. */
export function chosenIn(line: string, { items }: Choice): string | undefined {
  const said = line.trim();
  return /^\d+$/.test(said) ? items[Number(said) - 1]?.value : undefined;
}
