/** Requests to the model as rows: steps, and those for notes on what was said. */

import type { Event, Usage } from "@croft/harness";
import { duration, grouped, money } from "../ui/numbers.ts";
import { plural } from "../ui/plural.ts";
import type { Part, Row, Span, Tokens } from "./row.ts";
import { facts, json, line, markdown, text } from "./say.ts";

type Step = Extract<Event, { type: "step" }>;
type Compaction = Extract<Event, { type: "compaction" }>;

/** `span`: from the end of what came before to the reply. */
export function stepRow(event: Step, span: Span, title: string = `Step ${event.step}`): Row {
  const { usage, dollars, stop, badInputs = {}, partial } = event;
  const { failed, says } = stopOf(stop);
  return {
    head: {
      kind: "step",
      at: span.at + span.ms,
      title,
      note: [spentNote(usage, dollars, span.ms), ...(says === "" ? [] : [says])].join(", "),
      ...(failed && { tone: "bad" as const, open: true as const }),
      spans: [span],
      tokens: tokensOf(usage),
      dollars,
    },
    body: [
      ...usageFacts(usage, dollars),
      ...facts(["stop", typeof stop === "string" ? stop : json(stop)], ...Object.entries(badInputs)),
      ...(partial === undefined ? [] : [text("what had arrived of the reply", partial)]),
    ],
  };
}

export function compactionRow({ notes, usage, dollars, stop, replaced }: Compaction, span: Span): Row {
  const done = replaced === undefined ? "nothing came of it" : `${plural(replaced.upTo, "message")} gave way to it`;
  return {
    head: {
      kind: "step",
      at: span.at + span.ms,
      title: `Notes on what was said: ${done}`,
      note: spentNote(usage, dollars, span.ms),
      ...(replaced === undefined && { tone: "bad" as const }),
      spans: [span],
      tokens: tokensOf(usage),
      dollars,
    },
    body: [
      markdown(notes),
      ...usageFacts(usage, dollars),
      ...facts(["stop", typeof stop === "string" ? stop : json(stop)]),
    ],
  };
}

/** The four counters, and what they cost. */
export function usageFacts(usage: Usage, dollars: number | undefined): Part[] {
  return facts(
    ["input", grouped(usage.input)],
    ["cache read", grouped(usage.cacheRead)],
    ["cache write", grouped(usage.cacheWrite)],
    ["output", grouped(usage.output)],
    ["counted", usage.estimated === true ? "in part by croft" : undefined],
    ["cost", money(dollars)],
  );
}

/** `1.2 s, 4,590 tokens, $0.0112`. */
function spentNote(usage: Usage, dollars: number | undefined, ms: number): string {
  const all = tokensOf(usage).reduce((sum, each) => sum + each, 0);
  return `${duration(ms)}, ${grouped(all)} tokens, ${money(dollars)}`;
}

function stopOf(stop: Step["stop"]): { failed: boolean; says: string } {
  if (typeof stop === "string") return { failed: false, says: stop === "tool_use" ? "" : stop.replaceAll("_", " ") };
  return { failed: true, says: line("failed" in stop ? stop.failed.code : stop.unknown) };
}

function tokensOf({ input, cacheRead, cacheWrite, output }: Usage): Tokens {
  return [input, cacheRead, cacheWrite, output];
}
