/** What the checks came to. */

import type { Event } from "@croft/harness";
import { duration } from "../ui/numbers.ts";
import { plural } from "../ui/plural.ts";
import type { Part, Row, Span, Tone, Verdict } from "./row.ts";
import { facts, line, text } from "./say.ts";

type Citation = Extract<Event, { type: "citation" }>;
type Lines = Extract<Event, { type: "lines" }>;

export function checkRow({ name, result }: Extract<Event, { type: "check" }>, span: Span): Row {
  const unverified = result.pass && result.unverified === true;
  const outcome = result.pass ? (unverified ? "could not tell" : "passed") : "failed";
  return {
    head: {
      kind: "check",
      at: span.at + span.ms,
      title: `Check ${line(name)} ${outcome}`,
      note: duration(span.ms),
      tone: result.pass ? (unverified ? "doubt" : "good") : "bad",
      spans: [span],
      ...(!result.pass && { open: true }),
    },
    body: result.pass ? facts(["note", result.note]) : [text("what the model was told", result.report)],
  };
}

/** Citations of one answer, with the lines that were read for them. */
export type Cited = { at: number; verdicts: Verdict[]; lines: Part[] };

/** Of each of both at most: a row is kept whole until it is done. */
const most = 200;

export function isFull({ verdicts, lines }: Cited): boolean {
  return verdicts.length >= most || lines.length >= most;
}

const tones: Readonly<Record<Citation["state"], Tone>> = {
  verified: "good",
  unseen: "doubt",
  mismatch: "doubt",
  broken: "bad",
};

export function verdictOf({ ref, state, reason }: Citation): Verdict {
  // A newer croft may know another state.
  const tone = Object.hasOwn(tones, state) ? tones[state] : "doubt";
  return { tone, what: line(ref), says: line(reason === undefined ? state : `${state}: ${reason}`) };
}

export function linesPart({ path, from, to, found }: Lines): Part {
  const words = found?.lines.join("\n") ?? "(nothing that may be read)";
  return text(`${path}:${from}-${to}, as the check read it`, words, "folded");
}

export function citationsRow({ at, verdicts, lines }: Cited): Row {
  if (verdicts.length === 0) return { head: { kind: "citations", at, title: "Lines that a check read" }, body: lines };
  const good = verdicts.filter(({ tone }) => tone === "good").length;
  const isAll = good === verdicts.length;
  return {
    head: {
      kind: "citations",
      at,
      title: `${good} of ${plural(verdicts.length, "citation")} verified`,
      tone: verdicts.some(({ tone }) => tone === "bad") ? "bad" : isAll ? "good" : "doubt",
      ...(!isAll && { open: true }),
    },
    body: [{ as: "verdicts", verdicts }, ...lines],
  };
}
