/** Replay: the run that a trace recorded, run again without model, network or files, and compared event by event. */

import type { Event, Setup } from "../event.ts";
import { firstDifference } from "../first-difference.ts";
import type { Damage, Trace, TracedEvent } from "../session/trace.ts";
import { withoutMemory } from "./memory.ts";
import type { Doors } from "./doors.ts";
import { changesNothing } from "../tool/tool.ts";
import { createIds, type Ids } from "./replay/ids.ts";
import type { RecordedCall } from "./replay/recording.ts";
import type { Difference } from "./replay/tape.ts";
import { playTurn } from "./replay/turn.ts";
import { presetOf } from "./toolset-names.ts";
import { loadToolset } from "./toolsets.ts";
import type { Assembly } from "./turns.ts";

export type { Assembly, Difference };

/** Makes a call as a model would, as any doors do. Memory files are no part of what it is compared with. */
export type LiveTools = Pick<Doors, "call" | "tools">;

/** What a trace is replayed with. */
export type ReplayOptions = {
  /** What the trace was recorded with. Default: that of croft which has the recorded tools. */
  assembly?: Assembly | undefined;
  /**
   * Makes the calls that a tool answered once more, to be compared, but for those that change something in the project
   * and those that ask an id which none of them gives out; the run is served the recorded results all the same.
   */
  live?: LiveTools | undefined;
  /** Hears of the new run. */
  emit: (event: Event) => void;
};

/** What came of a replay. */
export type Replayed = {
  /** There is neither difference nor damage. */
  same: boolean;
  turns: number;
  /** Events that were compared. */
  events: number;
  /** Turns that the trace does not hold up to their stop. */
  unfinished: number;
  /** Calls that were made once more. */
  calls: number;
  differences: readonly Difference[];
  damage: readonly Damage[];
};

/**
 * Runs every turn of a trace again. Real are the loop, the checks and the parsing of inputs; served as recorded are
 * replies, tool results, the lines that checks read, decisions, interruptions and prices. All events are compared but
 * for their time and, of the start, session, root and trace. Once the signal fires, the turn is ended and no further
 * one begun.
 */
export async function replay(trace: Trace, options: ReplayOptions, signal: AbortSignal): Promise<Replayed> {
  const { live, emit } = options;
  const { turns, damage } = trace;
  const differences: Difference[] = [];
  const past: TracedEvent[] = [];
  const ids = createIds();
  let events = 0;
  let calls = 0;
  for (const turn of turns) {
    if (signal.aborted) break;
    const assembly = options.assembly ?? (await assemblyOf(turn.start.setup));
    for (const traced of turn.lead) {
      emit(traced.event);
      past.push(traced);
    }
    const { tape, answered } = await playTurn({ turn, past, assembly, emit }, signal);
    for (const difference of tape.differences) differences.push(difference);
    events += tape.heard;
    for (const event of turn.events) past.push(event);
    if (live === undefined) continue;
    const again = await madeAgain(looksIn(answered, assembly, live), { live, ids }, signal);
    for (const difference of again.differences) differences.push(difference);
    calls += again.made;
  }
  return {
    same: differences.length === 0 && damage.length === 0,
    turns: turns.length,
    events,
    unfinished: turns.filter(({ whole }) => !whole).length,
    calls,
    differences,
    damage,
  };
}

async function assemblyOf(setup: Setup): Promise<Assembly> {
  const toolset = await loadToolset(presetOf({ setup }));
  return toolset.assembly(new Set(setup.tools.map(({ name }) => name)));
}

/** The calls that changed nothing, of tools that there are. */
function looksIn(calls: readonly RecordedCall[], { tools }: Assembly, live: LiveTools): RecordedCall[] {
  const there = new Set(live.tools.map(({ name }) => name));
  return calls.filter(({ name, input }) => {
    const tool = there.has(name) ? tools.find((one) => one.name === name) : undefined;
    return tool !== undefined && changesNothing(tool, tool.parse(input));
  });
}

async function madeAgain(
  calls: readonly RecordedCall[],
  { live, ids }: { live: LiveTools; ids: Ids },
  signal: AbortSignal,
): Promise<{ made: number; differences: Difference[] }> {
  const differences: Difference[] = [];
  let made = 0;
  for (const { line, step, name, input, ok, result } of calls) {
    const asked = ids.now(input);
    if (asked === undefined) continue;
    made += 1;
    const now = await live.call(name, asked, signal);
    const was = { content: withoutMemory(result.content), ok };
    const found = firstDifference(was, { content: ids.recorded(now.content, was.content), ok: now.ok });
    const what = `${name}(${JSON.stringify(input)}), made again`;
    if (found !== undefined) differences.push({ line, step, what, recorded: found.expected, now: found.actual });
  }
  return { made, differences };
}
