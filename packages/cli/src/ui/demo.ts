/** What a demo came to, for a person. */

import type { Watched } from "../demo/watch.ts";
import { diffLine } from "./changes.ts";
import { escapeLine } from "./escape.ts";
import { money } from "./numbers.ts";
import type { Paint } from "./paint.ts";
import { plural } from "./plural.ts";

/** `diff` leads back to what was there before. `whole`: every file is what it was, byte for byte. */
export type Undone = { path: string; diff: string; whole: boolean };

export type DemoShown = {
  watched: Watched;
  undone: Undone;
  /** What stays on the disk, if it does. */
  left: { folder: string; trace: string } | undefined;
};

export function demoLines({ watched, undone, left }: DemoShown, paint: Paint): string[] {
  const { requests, dollars = 0 } = watched;
  return [
    "",
    "What you saw:",
    row("commands", commandsText(watched)),
    row("verification", watched.verified.map(verdictText).join(" ") || "it was not run"),
    row("cost", `${money(dollars)}: a script costs nothing (${plural(requests, "request")})`),
    row(
      "undo",
      undone.whole ? `${undone.path} is what it was, byte for byte:` : paint.bad("not everything is what it was"),
    ),
    ...undone.diff
      .trimEnd()
      .split("\n")
      .map((line) => `      ${diffLine(line, paint)}`),
    ...(left === undefined ? goneRows : keptRows(left)),
  ];
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(14)}${text}`;
}

function commandsText({ commands, enclosed }: Watched): string {
  if (commands === 0) return "none was run";
  if (enclosed === commands)
    return `${commands}, in the sandbox: no network, no home folder, nothing outside the project can be written`;
  return `${commands}, without a sandbox: there is none here, and croft would have asked you first (see croft doctor)`;
}

function verdictText(passed: boolean | undefined): string {
  if (passed === undefined) return "It could not be run.";
  return passed ? "Then the tests passed." : "The tests failed, and the model was told so, whatever it had said.";
}

const goneRows = [row("trace", "removed with the folder; croft demo --keep leaves both")];

function keptRows({ folder, trace }: NonNullable<DemoShown["left"]>): string[] {
  return [row("folder", escapeLine(folder)), row("trace", `${escapeLine(trace)}: croft replay runs it once more`)];
}
