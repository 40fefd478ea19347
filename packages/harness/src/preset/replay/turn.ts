/** One recorded turn, run again: the real loop and checks, with a model, tools and lines that come from the trace. */

import type { AgentOptions, Attachment } from "../../agent/agent.ts";
import { runTurn } from "../../agent/loop.ts";
import { resultLimitsFor, type ResultLimits } from "../../agent/old-results.ts";
import type { Check } from "../../check/check.ts";
import { Failure } from "../../error.ts";
import type { Event } from "../../event.ts";
import type { Model, Window } from "../../model/model.ts";
import { recorded } from "../../model/recorded.ts";
import { openLog } from "../../session/log.ts";
import type { TracedEvent, TracedTurn } from "../../session/trace.ts";
import { createLedger, learn, type GrowingLedger } from "../../workspace/ledger.ts";
import type { ReadLines } from "../../workspace/lines.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { anyFinishes, serveCalls } from "./calls.ts";
import { attachmentsIn, callsIn, exchangesIn, foldOf, playable, type RecordedCall } from "./recording.ts";
import type { Assembly } from "../turns.ts";
import { createTape, type Tape } from "./tape.ts";

export type Play = {
  turn: TracedTurn;
  /** The events of the turns before. */
  past: readonly TracedEvent[];
  assembly: Assembly;
  emit: (event: Event) => void;
};

/** Plays a turn to its end. `answered`: the calls that a tool had answered, in order. */
export async function playTurn(
  { turn, past, assembly, emit }: Play,
  signal: AbortSignal,
): Promise<{ tape: Tape; answered: readonly RecordedCall[] }> {
  const { start, whole } = turn;
  const { budget, maxTokens, system, window } = start.setup;
  const { tools } = assembly;
  const events = playable(turn);
  const earlier = foldOf(past);
  const tape = createTape(events, whole);
  const session = openLog({ id: start.session, earlier });
  const cancel = new AbortController();
  const deadline = new AbortController();

  /** Fires an interruption that stands next. */
  function interrupt(): void {
    const next = tape.peek();
    if (next?.type === "interrupted") (next.by === "timeout" ? deadline : cancel).abort();
  }
  /** Tells what was told besides by the doors and the assembly, if it stands next. */
  function passOn(kinds: readonly Event["type"][] = ["decision", "notice"]): void {
    for (let next = tape.peek(); next !== undefined && kinds.includes(next.type); next = tape.peek()) {
      session.append(next);
      hear(next);
    }
  }
  /**
   * Whoever serves what comes after an interruption fires it; where nobody does, it came right after the event before.
   */
  function hear(event: Event): void {
    if (!tape.hear(event)) return;
    emit(event);
    if (event.type === "start") passOn(["notice", "rejected"]); // what was loaded for the session, or no longer fits it
    if (tape.peek()?.type !== "interrupted") return;
    const running = event.type !== "tool_result" && (anyFinishes(tape, 1) || calls.isExploring());
    if (!running && !isServed(tape)) interrupt();
  }

  const attached = attachmentsIn(events);
  let heard = 0;
  const attaching = (message: number) => async (): Promise<Attachment[]> => {
    const attachments = attached[message] ?? [];
    // Where nothing was attached, what stands next belongs to the next request.
    if (attachments.length > 0 || tape.peek()?.type === "decision") calls.passOn();
    return attachments;
  };

  const calls = serveCalls(callsIn(events), tape, { passOn, interrupt });
  const recipient = { tools, model: start.model, images: window?.images ?? true, results: limitsIn(window) };
  const model = recorded(start.model, exchangesIn(events, earlier, recipient), window);
  const options: AgentOptions = {
    model: after(model, interrupt),
    maxTokens,
    // What follows the assembly's own words came from outside, as the memory files of a project do.
    system: [...assembly.system, ...system.slice(assembly.system.length)],
    tools: tools.map((tool) => calls.serve(tool)),
    attach: attaching(0),
    steering: () => steeredNext(tape).map((text) => ({ text, attach: attaching((heard += 1)) })),
    workspace: closed,
    ledger: ledgerOf(past),
    checks: [
      ...recordedChecks(events, { passOn, interrupt, isCut: () => !whole && tape.peek() === undefined }),
      ...assembly.checks,
    ],
    lines: recordedLines(events, interrupt),
    session,
    root: start.root,
    budget,
    deadline: () => deadline.signal,
    cost: () => dollarsNext(tape),
    lastWords: () => lastWordsIn(tape),
    emit: hear,
  };
  await runTurn(start.task, options, AbortSignal.any([signal, cancel.signal]));
  tape.end();
  return { tape, answered: calls.answered };
}

function limitsIn(window: Window | undefined): ResultLimits | undefined {
  return window === undefined || window.wantsAllResults === true ? undefined : resultLimitsFor(window.context);
}

/** Between what the user says before one step there is nothing but what goes with it. */
const withSteered: ReadonlySet<string> = new Set([
  "steered",
  "message",
  "attachment",
  "decision",
  "notice",
  "interrupted",
]);

/** What the user said before the next step, if that stands next. */
function steeredNext(tape: Tape): string[] {
  const said: string[] = [];
  if (tape.peek()?.type !== "steered") return said;
  for (let at = 0, next = tape.peek(); next !== undefined && withSteered.has(next.type); next = tape.peek(++at)) {
    if (next.type === "steered") said.push(next.text);
  }
  return said;
}

/** Whether somebody serves what stands behind an interruption that is next. */
function isServed(tape: Tape): boolean {
  const event = tape.peek(1);
  if (event?.type === "notice") return tape.peek(1 + noticesIn(tape, 1).length)?.type !== "stop";
  return event !== undefined && ["step", "compaction", "lines"].includes(event.type);
}

/** What was told right before the stop, which an interruption may stand before. */
function lastWordsIn(tape: Tape): Event[] {
  return noticesIn(tape, tape.peek()?.type === "interrupted" ? 1 : 0);
}

/** The notices that stand next, from one on. */
function noticesIn(tape: Tape, ahead: number): Event[] {
  const notices: Event[] = [];
  for (let next = tape.peek(ahead); next?.type === "notice"; next = tape.peek(ahead + notices.length))
    notices.push(next);
  return notices;
}

function after(model: Model, act: () => void): Model {
  return {
    ...model,
    async respond(request, sink, signal) {
      const reply = await model.respond(request, sink, signal);
      act();
      return reply;
    },
  };
}

function ledgerOf(events: readonly TracedEvent[]): GrowingLedger {
  const ledger = createLedger();
  for (const { event } of events) {
    if (event.type === "tool_result") learn(ledger, event);
    if (event.type === "attachment") learn(ledger, { shown: event.shown });
  }
  return ledger;
}

/** Checks that look at more than a trace holds, and how often each sends an answer back. */
const roundsOf = { verify: 3, unsaved: 1 } as const;

/** `isCut`: croft was ended there, and nothing that comes now is compared. */
type Serving = { passOn: () => void; interrupt: () => void; isCut: () => boolean };

/** What came of the project's own check, and of the look at what is staged: told before the others, where they were run. */
function recordedChecks(events: readonly TracedEvent[], serving: Serving): Check[] {
  return [...recordedCheck("verify", events, serving), ...recordedCheck("unsaved", events, serving)];
}

function recordedCheck(
  name: keyof typeof roundsOf,
  events: readonly TracedEvent[],
  { passOn, interrupt, isCut }: Serving,
): Check[] {
  const results = events.flatMap(({ event }) => (event.type === "check" && event.name === name ? [event.result] : []));
  const said = events.some(({ event }) => event.type === "notice" && event.code === name);
  if (results.length === 0 && !said) return [];
  return [
    {
      name,
      rounds: roundsOf[name],
      async run(_turn, _emit, signal) {
        passOn();
        interrupt();
        const result = results.shift();
        if (result !== undefined && !signal.aborted) return result;
        if (!signal.aborted && isCut()) return { pass: true };
        throw signal.aborted ? signal.reason : new Failure("E_DAMAGED", "The trace does not tell what the check gave.");
      },
    },
  ];
}

function recordedLines(events: readonly TracedEvent[], interrupt: () => void): ReadLines {
  const left = events.flatMap(({ event }) => (event.type === "lines" ? [event] : []));
  return async (path, from, to) => {
    interrupt();
    const index = left.findIndex((lines) => lines.path === path && lines.from === from && lines.to === to);
    return index === -1 ? undefined : left.splice(index, 1)[0]?.found;
  };
}

/** What so much costs is known to whoever recorded the run. */
function dollarsNext(tape: Tape): number | undefined {
  const next = tape.peek()?.type === "interrupted" ? tape.peek(1) : tape.peek();
  return next?.type === "step" || next?.type === "compaction" || next?.type === "stop" ? next.dollars : undefined;
}

/** Tools that are served knock at no door. */
const closed: Workspace = {
  read: refuse,
  look: refuse,
  open: refuse,
  list: refuse,
  find: refuse,
  search: refuse,
  source: refuse,
  commit: refuse,
};

function refuse(): never {
  throw new Failure("E_CLOSED", "A replay opens no files.");
}
