/** A command while it runs, and how it ended: its output live and bounded, and a line for the end. */

import type { Action } from "@croft/harness";
import { commandText } from "./command-text.ts";
import { cutAt } from "./cut.ts";
import { escapeLine } from "./escape.ts";
import type { Paint } from "./paint.ts";
import { plural } from "./plural.ts";
import type { Spinner } from "./spinner.ts";

/** Lines that are shown as they come; of the rest the last ones are shown at the end. */
const firstLines = 20;
const lastLines = 10;
/** Characters of a line. */
const lineMost = 300;

export type RunningCommand = {
  /** It was allowed, and begins. */
  begin(action: Action & { kind: "run" }): void;
  add(text: string): void;
  /** What is left to be shown of its output. Seconds since it began; undefined where nothing did. */
  end(): number | undefined;
};

/** One command at a time; `say` writes a line. */
export function watchCommand(say: (line: string) => void, paint: Paint, spinner: Spinner | undefined): RunningCommand {
  let begun: number | undefined;
  let unfinished = "";
  let shown = 0;
  let hidden = 0;
  let last: string[] = [];

  function show(line: string): void {
    say(paint.dim(`   ${escapeLine(cutAt(line, lineMost))}`));
  }

  function take(line: string): void {
    if (shown < firstLines) {
      shown += 1;
      return show(line);
    }
    last.push(line);
    if (last.length > lastLines) hidden += 1;
    last = last.slice(-lastLines);
  }

  return {
    begin({ command }) {
      begun = performance.now();
      spinner?.start(escapeLine(commandText(command)));
    },
    add(text) {
      const lines = (unfinished + text).split("\n");
      unfinished = lines.pop() ?? "";
      for (const line of lines) take(line);
    },
    end() {
      spinner?.stop();
      if (unfinished !== "") take(unfinished);
      if (hidden > 0) say(paint.dim(`   … (${plural(hidden, "more line")})`));
      for (const line of last) show(line);
      const seconds = begun === undefined ? undefined : (performance.now() - begun) / 1000;
      begun = undefined;
      unfinished = "";
      shown = 0;
      hidden = 0;
      last = [];
      return seconds;
    },
  };
}

type End = { code: number | undefined; timedOut: boolean; left: number; notices: readonly string[] };

/** `exit 0 in 1.2 s`, then what is to be told beside; empty for what is not the end of a command. */
export function endLines(details: unknown, preview: string, seconds: number | undefined, paint: Paint): string[] {
  const end = endIn(details);
  if (end === undefined) return [];
  const how = end.code === undefined ? preview : `exit ${end.code}`;
  // A limit of time says its own.
  const time = seconds === undefined || end.timedOut ? "" : ` in ${seconds.toFixed(1)} s`;
  const ended = `   ${escapeLine(how)}${time}`;
  const children = end.left > 0 ? [`   left running, and ended: ${end.left}`] : [];
  const told = [...children, ...end.notices.map((text) => `   ${escapeLine(text)}`)];
  return [end.code === 0 ? paint.dim(ended) : paint.bad(ended), ...told.map((line) => paint.dim(line))];
}

/** It may come from a trace that somebody else wrote. */
function endIn(details: unknown): End | undefined {
  if (typeof details !== "object" || details === null || !("timedOut" in details)) return undefined;
  const { timedOut, code, left, notices }: { timedOut: unknown; code?: unknown; left?: unknown; notices?: unknown } =
    details;
  return {
    code: typeof code === "number" && timedOut !== true ? code : undefined,
    timedOut: timedOut === true,
    left: typeof left === "number" ? left : 0,
    notices: Array.isArray(notices) ? notices.filter((notice) => typeof notice === "string") : [],
  };
}
