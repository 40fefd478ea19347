/** Adds a trace up, line by line. */

import type { Event } from "@croft/harness";
import { commandIn } from "./call-row.ts";
import { endsWork, type TraceLine } from "./read.ts";
import { createCappedList } from "./capped-list.ts";
import { createCallTally } from "./tally-calls.ts";
import type { Totals } from "./totals.ts";

type Of<Type extends Event["type"]> = Extract<Event, { type: Type }>;

export type Tally = { take(line: TraceLine): void; totals(): Totals };

export function createTally(): Tally {
  let first: Of<"start"> | undefined;
  let turn: { task: string; status: string; steps: number } | undefined;
  const turns = createCappedList<NonNullable<typeof turn>>();
  const models = new Set<string>();
  const tokens = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  const time = { whole: 0, model: 0, tools: 0, checks: 0, person: 0 };
  let steps = 0;
  let dollars: number | undefined = 0;
  const calls = createCallTally();
  const checks = createCappedList<Totals["checks"]["first"][number]>();
  const states: Record<string, number> = {};
  const doubts = createCappedList<Totals["citations"]["doubts"]["first"][number]>();
  /** Of the answer that is being checked: another step means that it is being corrected. */
  let cited: Of<"citation">[] = [];
  const unreadable = createCappedList<number>();
  const altered = createCappedList<number>();

  let now = 0;
  let last = 0;
  let begun = 0;

  function endTurn(): void {
    for (const { ref, state, reason = "" } of cited) {
      states[state] = (states[state] ?? 0) + 1;
      if (state !== "verified") doubts.add({ ref, state, reason });
    }
    cited = [];
    calls.endTurn();
    if (turn !== undefined) turns.add(turn);
    turn = undefined;
  }

  function spend({ usage, dollars: cost }: Of<"step"> | Of<"compaction">): void {
    for (const counter of ["input", "cacheRead", "cacheWrite", "output"] as const) tokens[counter] += usage[counter];
    dollars = dollars === undefined || cost === undefined ? undefined : dollars + cost;
  }

  function count(event: Event): void {
    switch (event.type) {
      case "start":
        endTurn();
        first ??= event;
        models.add(event.model);
        turn = { task: event.task, status: "interrupted", steps: 0 };
        break;
      case "step":
        time.model += now - begun;
        cited = [];
        if (event.unsent !== true) {
          steps += 1;
          if (turn !== undefined) turn.steps += 1;
        }
        spend(event);
        break;
      case "compaction":
        time.model += now - begun;
        spend(event);
        break;
      case "explored": // its time is that of the call
        if (event.event.type === "step" || event.event.type === "compaction") spend(event.event);
        break;
      case "tool_call":
        calls.begin(event.id, now);
        break;
      case "decision":
        if (event.verdict.by === "person") time.person += now - last;
        if (event.action.kind === "run") calls.runs(commandIn(event.action));
        break;
      case "tool_result":
        // Reads run together: only the time since the last event is new.
        time.tools += now - Math.max(begun, calls.end(event, now));
        break;
      case "check": {
        time.checks += now - begun;
        const { result } = event;
        // One that passes without a word had nothing to look at, or is told by what follows, as citations are.
        const says = result.pass ? result.note : result.report;
        const unverified = result.pass && result.unverified === true;
        if (says !== undefined) {
          checks.add({ name: event.name, passed: result.pass, ...(unverified && { unverified }), says });
        }
        break;
      }
      case "citation":
        cited.push(event);
        break;
      case "stop":
        if (turn !== undefined) turn.status = event.status;
        endTurn();
        break;
      case "attachment":
      case "steered":
      case "delta":
      case "message":
      case "output":
      case "lines":
      case "rejected":
      case "interrupted":
      case "notice":
        break;
      default:
        event satisfies never; // one of a newer croft counts for nothing
    }
    if (endsWork(event)) begun = now;
  }

  return {
    take({ line, at, event: happened, altered: wasAltered }) {
      now = at;
      if (wasAltered) altered.add(line);
      if (happened === undefined) unreadable.add(line);
      else count(happened);
      last = now;
    },
    totals() {
      endTurn();
      time.whole = now;
      time.tools = Math.max(0, time.tools - time.person);
      return {
        session: first?.session ?? "",
        root: first?.root ?? "",
        task: first?.task ?? "",
        models: [...models],
        turns: turns.list,
        steps,
        tokens,
        dollars,
        time,
        ...calls.totals(),
        checks: checks.list,
        citations: { states, doubts: doubts.list },
        damage: { unreadable: unreadable.list, altered: altered.list },
      };
    },
  };
}
