/** What events leave on the screen, where that takes more than a line. */

import type { Event, Spent } from "@croft/harness";
import { tokensText } from "../cost.ts";
import { emptyStream, ended, fed } from "../markdown/stream.ts";
import { citationLines, stopLine, totalsLine, verdictWord, type Verification } from "../outcome.ts";
import { noPaint } from "../paint.ts";
import type { Block, Tone } from "./block.ts";

type Of<Type extends Event["type"]> = Extract<Event, { type: Type }>;

/** What is told when a turn stops. */
export type Turn = {
  citations: readonly Of<"citation">[];
  changed: readonly string[];
  earlier: Spent | undefined;
  verification: Verification | undefined;
};

/** How a check ended, if that is worth a word. */
export function checkBlocks({ name, result }: Of<"check">): Block[] {
  if (!result.pass)
    return [{ type: "lines", lines: [`check ${name} failed:`, ...result.report.split("\n")], tone: "bad" }];
  if (result.note === undefined) return [];
  return [line(`${verdictWord(result)}: ${result.note}`, result.unverified === true ? "dim" : "good")];
}

/** How a turn ended, and what came of what it said. */
export function stopBlocks(turn: Turn, event: Of<"stop">): Block[] {
  const lines = citationLines(turn.citations, noPaint);
  const bad = lines.slice(0, -1);
  const { earlier, verification } = turn;
  return [
    ...(bad.length === 0 ? [] : [{ type: "lines" as const, lines: bad, tone: "bad" as const }]),
    ...lines.slice(-1).map((text) => line(text, bad.length === 0 ? "good" : "dim")),
    ...(event.status === "done" ? [] : [line(stopLine(event), event.status === "cancelled" ? "dim" : "bad")]),
    line(totalsLine(event, { changed: turn.changed.length, earlier, verification, tokens: tokensText }), "dim"),
  ];
}

/** A text in the pieces that it would have come in. */
export function blocksIn(text: string): string[] {
  const { stream, blocks } = fed(emptyStream, text);
  return [...blocks, ...ended(stream)];
}

/** `begun`: a piece of the same answer stands already. */
export function answerBlocks(sources: readonly string[], begun: boolean): Block[] {
  const shown = sources.filter((source) => source.trim() !== "");
  return shown.map((source, index) => ({ type: "answer", source, first: !begun && index === 0 }));
}

export function thoughtBlocks(text: string): Block[] {
  return text.trim() === "" ? [] : [{ type: "thought", text: text.trim() }];
}

export function line(text: string, tone: Tone): Block {
  return { type: "lines", lines: [text], tone };
}
