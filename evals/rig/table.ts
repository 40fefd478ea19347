/** Outcomes as a table for people, settings side by side. */

import type { Outcome, Setting } from "./attempt.ts";

type Cells = readonly string[];

const heads: Cells = ["passed", "status", "steps", "tokens", "dollars", "time"];

/** A row for each task, where there were several attempts the mean of them; the sums; then what sets the settings apart. */
export function table(settings: readonly Setting[], outcomes: readonly Outcome[]): string[] {
  const names = [...new Set(outcomes.map(({ task }) => task))].toSorted();
  const of = (setting: Setting, task?: string): Outcome[] =>
    outcomes.filter((each) => each.setting === setting.name && (task === undefined || each.task === task));
  const rows: Cells[] = [
    ["", ...settings.flatMap(({ name }) => [name, ...heads.slice(1).map(() => "")])],
    ["task", ...settings.flatMap(() => heads)],
    ...names.map((task) => [task, ...settings.flatMap((setting) => meansOf(of(setting, task)))]),
    ["sum", ...settings.flatMap((setting) => sumsOf(of(setting)))],
  ];
  const [, ...rest] = rows;
  const widths = rest.reduce<number[]>(
    (widest, row) => row.map((cell, n) => Math.max(cell.length, widest[n] ?? 0)),
    [],
  );
  const aligned = rows.map((row) =>
    row
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [...aligned, ...settings.map(told), ...apart(settings, names, of)];
}

function meansOf(attempts: readonly Outcome[]): Cells {
  const mean = (pick: (outcome: Outcome) => number): number => sum(attempts, pick) / attempts.length;
  const [first] = attempts;
  if (first === undefined) return heads.map(() => "-");
  const statuses = [...new Set(attempts.map(({ status }) => status))].join("+");
  const passed = attempts.length === 1 ? (first.passed ? "yes" : "NO") : share(attempts);
  return [passed, statuses, ...figures(attempts, mean)];
}

function sumsOf(attempts: readonly Outcome[]): Cells {
  return [share(attempts), "", ...figures(attempts, (pick) => sum(attempts, pick))];
}

function figures(attempts: readonly Outcome[], of: (pick: (outcome: Outcome) => number) => number): Cells {
  const priced = attempts.every(({ dollars }) => dollars !== undefined);
  return [
    String(Math.round(of(({ steps }) => steps))),
    Math.round(of(({ tokens }) => tokens)).toLocaleString("en-US"),
    priced ? of(({ dollars = 0 }) => dollars).toFixed(4) : "-",
    `${of(({ seconds }) => seconds).toFixed(1)} s`,
  ];
}

function share(attempts: readonly Outcome[]): string {
  return `${passes(attempts)} of ${attempts.length}`;
}

function told({ name, options }: Setting): string {
  return `${name}: croft run --yes ${options.join(" ")}`.trimEnd();
}

/** The tasks that each setting did more often than the other. */
function apart(
  settings: readonly Setting[],
  names: readonly string[],
  of: (setting: Setting, task: string) => readonly Outcome[],
): string[] {
  const [a, b] = settings;
  if (a === undefined || b === undefined) return [];
  const better = (one: Setting, other: Setting): string => {
    const tasks = names.filter((task) => passes(of(one, task)) > passes(of(other, task)));
    return `${one.name} alone, or more often: ${tasks.length === 0 ? "none" : tasks.join(", ")}`;
  };
  return [better(a, b), better(b, a)];
}

function passes(attempts: readonly Outcome[]): number {
  return attempts.filter(({ passed }) => passed).length;
}

function sum(attempts: readonly Outcome[], pick: (outcome: Outcome) => number): number {
  return attempts.reduce((all, each) => all + pick(each), 0);
}
