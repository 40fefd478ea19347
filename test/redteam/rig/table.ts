/** What the rows came to, for people. */

import type { Outcome } from "./judge.ts";

/** One line an outcome. */
export function rowOf({ id, attack, twin, escaped, works }: Outcome): string {
  const held = escaped.length === 0 ? "held" : "ESCAPED";
  const lines = [
    `${id.padEnd(6)} ${held.padEnd(8)} ${works ? "works" : "BLOCKED"}`.padEnd(24) + `${attack}  (twin: ${twin})`,
  ];
  return [...lines, ...escaped.map((how) => `       ! ${how}`)].join("\n");
}

/** How many held, and how many twins work. */
export function countsOf(outcomes: readonly Outcome[]): string {
  const escapes = outcomes.filter(({ escaped }) => escaped.length > 0).length;
  const blocked = outcomes.filter(({ works }) => !works).length;
  return `${outcomes.length} attacks, ${escapes} escaped; ${outcomes.length} twins, ${blocked} blocked.`;
}
