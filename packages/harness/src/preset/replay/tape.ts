/** The recorded events of a turn, played beside the events of the new run and compared with them one by one. */

import type { Event } from "../../event.ts";
import { brief, firstDifference } from "../../first-difference.ts";
import type { TracedEvent } from "../../session/trace.ts";

/**
 * `step`: requests made by then. `what`: the kind of event and the path to the place in it. The two sides are excerpts.
 */
export type Difference = { line: number; step: number; what: string; recorded: string; now: string };

export interface Tape {
  /** The recorded event that stands next, or the one `ahead` of it; none once the run has left the recorded way. */
  peek(ahead?: number): Event | undefined;
  /** Compares an event of the new run with the one that stands next. False: the trace is cut off before it. */
  hear(event: Event): boolean;
  /** To be called when the run is over: whatever was not heard is a difference. */
  end(): void;
  /** Requests that the new run has made. */
  readonly step: number;
  /** Events that were compared. */
  readonly heard: number;
  readonly differences: readonly Difference[];
}

/** Streamed, or told by who is served: it may come in another order. */
const uncompared: ReadonlySet<Event["type"]> = new Set<Event["type"]>(["delta", "output", "explored"]);

/**
 * A tape at its start. `whole`: the run may say no more than what is recorded; otherwise the trace was cut off and what
 * comes after its end is not compared. Where an event of another kind stands, the two have parted, and nothing more is
 * compared.
 */
export function createTape(recorded: readonly TracedEvent[], whole: boolean): Tape {
  const events = recorded.filter(({ event }) => !uncompared.has(event.type));
  const differences: Difference[] = [];
  let at = 0;
  let step = 0;
  let parted = false;

  function differs(what: string, recorded: string, now: string): void {
    const { line } = events[Math.min(at, events.length - 1)] ?? { line: 0 };
    differences.push({ line, step, what, recorded, now });
  }

  return {
    peek: (ahead = 0) => (parted ? undefined : events[at + ahead]?.event),
    hear(event) {
      if (event.type === "step") step += 1;
      if (uncompared.has(event.type) || parted) return true;
      const recorded = events[at]?.event;
      if (recorded === undefined && !whole) return false;
      if (recorded?.type !== event.type) {
        parted = true;
        differs(recorded?.type ?? event.type, brief(comparable(recorded)), brief(comparable(event)));
        return true;
      }
      if (wasRefused(event) && differences.length > 0) {
        parted = true; // it follows from a difference that was told
        return true;
      }
      const found = firstDifference(comparable(recorded), comparable(event), event.type);
      if (found !== undefined) differs(found.path, found.expected, found.actual);
      at += 1;
      return true;
    },
    end() {
      const missing = parted ? undefined : events[at]?.event;
      if (missing !== undefined) differs(missing.type, brief(comparable(missing)), brief(undefined));
      parted = true;
    },
    get step() {
      return step;
    },
    get heard() {
      return at;
    },
    differences,
  };
}

/** The recorded model had no answer to what was asked. */
function wasRefused(event: Event): boolean {
  if (event.type !== "step" || typeof event.stop === "string" || !("failed" in event.stop)) return false;
  return event.stop.failed.code.startsWith("E_REPLAY_");
}

/** An event as a log keeps it, without what names the place and time of a run. */
function comparable(event: Event | undefined): unknown {
  if (event?.type !== "start") return asPlainData(event);
  const { session: _session, root: _root, trace: _trace, earlier: _earlier, ...rest } = event;
  return asPlainData(rest);
}

function asPlainData(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
