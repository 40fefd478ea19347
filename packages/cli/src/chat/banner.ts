/** What is said first and last in a session. */

import type { Session } from "@croft/harness";
import { shortened } from "../config/shortened.ts";
import { shortRunId } from "../config/trace.ts";
import { money } from "../ui/numbers.ts";
import { plural } from "../ui/plural.ts";
import { meaning } from "./mode.ts";
import type { Talk } from "./talk.ts";

const sandboxes = {
  on: "commands run in a sandbox",
  off: "commands run without a sandbox, and each is a question",
  none: "no commands are run",
} as const;

/** Lines: the project, the model, what may happen, and how to get help. */
export function banner({ root, current, mode, io }: Pick<Talk, "root" | "current" | "mode" | "io">): string[] {
  const { model, preset, sandbox } = current;
  const may = preset === "ask" ? "reads only" : `mode ${mode}: ${meaning[mode]}; ${sandboxes[sandbox]}`;
  return [
    `${shortened(root, io.environment.home)} with ${model.id}`,
    may,
    ...(model.id === "offline" ? [lookups, withoutModel] : []),
    "/help lists the commands; @ attaches a file; Ctrl+C twice leaves.",
  ];
}

const lookups = "It looks things up. Try: Where is main defined, and who calls it?";
const withoutModel =
  "For a model that answers anything and changes files: set ANTHROPIC_API_KEY and start again, or /model openai/<model> or ollama/<model>.";

/** What it cost, and how to go on with it; undefined where nothing was said in it. */
export function farewell({ id, file, spent }: Session): string | undefined {
  if (spent.turns === 0) return undefined;
  const cost = spent.dollars === undefined ? "cost unknown" : money(spent.dollars);
  const next = file === undefined ? "it was not kept" : `go on with it: croft resume ${shortRunId(id)}`;
  return `${plural(spent.turns, "turn")}, ${cost}; ${next}`;
}
