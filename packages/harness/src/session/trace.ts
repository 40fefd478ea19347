/** A log taken apart into turns, for a replay: what stands in it, on which line, and what is wrong with it. */

import { Failure } from "../error.ts";
import type { Event, Setup } from "../event.ts";
import { readLog, type LogLine } from "./read.ts";
import type { IsServable } from "./served.ts";

/** An event as it was emitted; `line` counts from 1. */
export type TracedEvent = { line: number; event: Event };
export type StartEvent = Extract<Event, { type: "start" }> & { setup: Setup };
export type TracedTurn = {
  start: StartEvent;
  /** What was told outside of any turn just before this one. */
  lead: readonly TracedEvent[];
  /** The start event and those after it. */
  events: readonly TracedEvent[];
  /** Every event up to the stop is there. */
  whole: boolean;
};
/** unreadable: no event, or one without what a replay needs. altered: changed after it was written. */
export type Damage = { line: number; what: "unreadable" | "altered" };
export type Trace = { turns: readonly TracedTurn[]; damage: readonly Damage[] };

/**
 * Reads a log whole. A turn ends before a line that cannot be read; the next one begins with the next start event.
 * Throws Failure: E_LOG_UNREADABLE, E_NEWER_LOG, E_NOT_A_TRACE for a file without a turn, E_TRACE_INCOMPLETE for a turn that does
 * not say what it was given.
 */
export async function readTrace(file: string): Promise<Trace> {
  const { isServable } = await import("./served.ts");
  const reading = createReading(isServable);
  for await (const line of readLog(file)) reading.take(line);
  const trace = reading.result();
  if (trace.turns.length === 0) throw notATrace(file);
  return trace;
}

type Reading = { take(line: LogLine): void; result(): Trace };

function createReading(isServable: IsServable): Reading {
  const turns: TracedTurn[] = [];
  const damage: Damage[] = [];
  let lead: TracedEvent[] = [];
  let turn: (TracedTurn & { events: TracedEvent[] }) | undefined;
  /** A line of the turn is missing: what follows it means nothing. */
  let broken = false;

  function begin(line: number, event: Event & { type: "start" }): void {
    const { setup } = event;
    if (setup === undefined) throw incomplete(line);
    turn = { start: { ...event, setup }, lead, events: [], whole: false };
    turns.push(turn);
    lead = [];
    broken = false;
  }

  function take(line: number, event: Event): void {
    if (turn?.whole === true && isAside(event)) turn = undefined;
    if (event.type === "start") begin(line, event);
    if (turn === undefined && isAside(event)) lead.push({ line, event });
    if (broken) return;
    turn?.events.push({ line, event });
    if (turn !== undefined && event.type === "stop") turn.whole = true;
  }

  return {
    take({ line, event: logged, altered }) {
      if (logged === undefined || !isServable(logged)) {
        damage.push({ line, what: "unreadable" });
        broken = true;
        return;
      }
      if (altered === true) damage.push({ line, what: "altered" });
      const { ms: _ms, format: _format, ...event } = logged;
      take(line, event);
    },
    result: () => ({ turns, damage }),
  };
}

/** What may be told between turns. */
function isAside({ type }: Event): boolean {
  return type === "notice" || type === "decision" || type === "compaction";
}

function notATrace(file: string): Failure {
  return new Failure("E_NOT_A_TRACE", `${file} is no trace: there is no turn in it.`, {
    remedy: "Give the file that a run names as its trace; what --json prints is none.",
  });
}

function incomplete(line: number): Failure {
  return new Failure("E_TRACE_INCOMPLETE", `The turn at line ${line} does not say what it was given.`, {
    remedy: "A turn can be replayed only if its start event has its setup.",
  });
}
