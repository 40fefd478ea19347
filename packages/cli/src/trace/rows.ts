/** A trace as rows for people, event by event: what belongs together stands together. */

import type { Event, ToolResultBlock } from "@croft/harness";
import { grouped } from "../ui/numbers.ts";
import { callRow, contentParts, decisionRow, innerLine, type Call, type Decision } from "./call-row.ts";
import { checkRow, citationsRow, isFull, linesPart, verdictOf, type Cited } from "./check-row.ts";
import { messageRow } from "./message-row.ts";
import { endsWork, type TraceLine } from "./read.ts";
import { compactionRow, stepRow } from "./request-row.ts";
import type { Head, Lane, Part, Row, Span } from "./row.ts";
import { facts, json, line, text } from "./say.ts";
import { startRow, stopRow } from "./turn-row.ts";

export type RowFold = {
  take(line: TraceLine): void;
  /** What is still open becomes rows. */
  end(): void;
};

/** Lines that are kept of what an agent did within one call. */
const innerMost = 2_000;

/** `emit` is given each row once, in order. Held are the calls of one reply and one row of citations, no more. */
export function createRowFold(emit: (row: Row) => void): RowFold {
  const calls = new Map<string, Call>();
  let cited: Cited | undefined;
  let turns = 0;
  let now = 0;
  let last = 0;
  let begun = 0;

  function put(row: Row): void {
    flushCitations();
    emit(row);
  }

  function note(head: Omit<Head, "at" | "kind"> & Partial<Head>, body: readonly Part[] = []): void {
    put({ head: { kind: "notice", at: now, ...head }, body });
  }

  function flushCalls(): void {
    for (const call of calls.values()) put(callRow(call, now));
    calls.clear();
  }

  function flushCitations(): void {
    if (cited === undefined) return;
    const row = citationsRow(cited);
    cited = undefined;
    emit(row);
  }

  function citing(): Cited {
    if (cited !== undefined && isFull(cited)) flushCitations();
    cited ??= { at: now, verdicts: [], lines: [] };
    return cited;
  }

  /** What was at work since anything else was. */
  function work(lane: Lane): Span {
    return { lane, at: begun, ms: now - begun };
  }

  function said({ message }: Extract<Event, { type: "message" }>): void {
    if (message.role === "user") {
      for (const block of message.content) if (block.type === "tool_result") answer(block);
      flushCalls();
    }
    const row = messageRow(message, now);
    if (row !== undefined) put(row);
  }

  function answer({ toolUseId, content }: ToolResultBlock): void {
    const call = calls.get(toolUseId);
    if (call !== undefined) call.content = content;
    else
      note(
        { kind: "call", title: line(`Result of ${toolUseId}`), note: "its call is not here", tone: "doubt" },
        contentParts(content),
      );
  }

  function decided(decision: Decision): void {
    const isPerson = decision.verdict.by === "person";
    const waited: Span | undefined = isPerson ? { lane: "person", at: last, ms: now - last } : undefined;
    const call = callOf(decision.action, [...calls.values()]);
    if (call === undefined) put(decisionRow(decision, waited, now));
    else call.decisions.push({ decision, waited });
  }

  /** An agent within a call: its requests are rows, as they cost; what else it did stands in the call. */
  function explored({ id, event }: Extract<Event, { type: "explored" }>): void {
    const call = calls.get(id);
    if (event.type === "step")
      put(
        stepRow(
          event,
          { lane: "model", at: last, ms: now - last },
          `Step ${event.step} within ${line(call?.name ?? "a call")}`,
        ),
      );
    else if (event.type === "compaction") put(compactionRow(event, { lane: "model", at: last, ms: now - last }));
    else if (call !== undefined && call.inner.length < innerMost) call.inner.push(innerLine(event));
  }

  function take(event: Event): void {
    switch (event.type) {
      case "start":
        flushCalls();
        turns += 1;
        return put(startRow(event, turns, now));
      case "attachment":
        return note(
          {
            title: line(`Attached ${event.name}`),
            note: event.ok ? `${grouped(event.chars)} characters` : "not attached",
            ...(!event.ok && { tone: "bad" }),
          },
          facts(["of it", event.preview]),
        );
      case "message":
        return said(event);
      case "step":
        return put(stepRow(event, work("model")));
      case "compaction":
        return put(compactionRow(event, work("model")));
      case "tool_call":
        return void calls.set(event.id, { name: event.name, input: event.input, at: now, decisions: [], inner: [] });
      case "decision":
        return decided(event);
      case "tool_result": {
        const call = calls.get(event.id) ?? { name: event.name, input: undefined, at: now, decisions: [], inner: [] };
        return void calls.set(event.id, { ...call, result: { event, at: now } });
      }
      case "lines":
        return void citing().lines.push(linesPart(event));
      case "citation":
        return void citing().verdicts.push(verdictOf(event));
      case "rejected":
        return note(
          { title: line(`Left out from now on: ${event.what}`), note: "the service refuses it", tone: "doubt" },
          facts(["reason", event.reason], ["block", event.block]),
        );
      case "steered":
        return note({ title: line(event.text), note: "said while the turn ran" });
      case "explored":
        return explored(event);
      case "interrupted":
        return note({ title: event.by === "timeout" ? "Time was up" : "Cancelled", tone: "doubt" });
      case "check":
        return put(checkRow(event, work("checks")));
      case "notice": {
        const more = event.text.includes("\n") ? [text("all of it", event.text)] : [];
        return note({ title: line(event.text), note: line(event.code) }, more);
      }
      case "stop":
        flushCalls();
        return put(stopRow(event, now));
      case "delta":
      case "output": // no log keeps them
        return undefined;
      default:
        event satisfies never;
        return note({ title: "An event that only a newer croft knows" }, [text("event", json(event))]);
    }
  }

  return {
    take({ line: number, at, event, raw, altered }) {
      now = at;
      if (altered) note({ kind: "damage", title: `Line ${number} was changed after it was written`, tone: "bad" });
      if (event === undefined) {
        const body = raw === undefined ? [] : [text("what stands there", json(raw))];
        note({ kind: "damage", title: `Line ${number} cannot be read`, tone: "bad" }, body);
      } else {
        take(event);
        if (endsWork(event)) begun = now;
      }
      last = now;
    },
    end() {
      flushCalls();
      flushCitations();
    },
  };
}

/**
 * The call that a decision is about. Reads of one reply run together, and a decision names none of them: it is the one
 * that asked for this place, else the last one.
 */
function callOf(action: Decision["action"], calls: readonly Call[]): Call | undefined {
  const open = calls.filter(({ result }) => result === undefined);
  if (!("asked" in action)) return open.at(-1);
  const asks = ({ input }: Call): boolean =>
    typeof input === "object" && input !== null && Object.values(input).includes(action.asked);
  return open.find(asks) ?? open.at(-1);
}
