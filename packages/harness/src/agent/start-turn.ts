/** A turn begins: its state is made, and the session told what it was given and what the user said. */

import type { Event, Interruption } from "../event.ts";
import { fromHarness } from "../message.ts";
import { recorder } from "../session/session.ts";
import type { AgentOptions } from "./agent.ts";
import { createAnswer } from "./answer.ts";
import { deadlineOf } from "./deadline.ts";
import { createGuard } from "./guard.ts";
import { setupOf } from "./setup.ts";
import { createSpending } from "./spending.ts";
import type { Compaction, RunningTurn } from "./turn.ts";

/** `cancel`: the user's. */
export function startTurn(task: string, options: AgentOptions, cancel: AbortSignal): RunningTurn {
  const { session, root, model } = options;
  const turn = createTurn(options, cancel);
  turn.record({
    type: "start",
    session: session.id,
    root,
    model: model.id,
    task,
    trace: session.file,
    earlier: session.spent.turns > 0 ? session.spent : undefined,
    setup: setupOf(options),
  });
  turn.add({ role: "user", content: [{ type: "text", text: task }] });
  return turn;
}

function createTurn(options: AgentOptions, cancel: AbortSignal): RunningTurn {
  const { session, budget, cost } = options;
  const signal = AbortSignal.any([cancel, deadlineOf(options)]);
  const interruption = (): Interruption => (cancel.aborted ? "cancelled" : "timeout");
  const record = interruptible(recorder(session, options.emit), signal, interruption);
  const spending = createSpending(budget);
  const answer = createAnswer();
  let guard = createGuard(session.messages);
  let start = session.messages.length;

  const turn: RunningTurn = {
    options,
    session,
    signal,
    spending,
    answer,
    record,
    interruption,
    get guard() {
      return guard;
    },
    get start() {
      return start;
    },
    inARow: { cut: 0, empty: 0, refused: 0 },
    counted: undefined,
    fit: "unknown",
    rounds: new Map(),
    add: (message) => record({ type: "message", message }),
    say: (text) => turn.add({ role: "user", content: [fromHarness(text)] }),
    compact(outcome) {
      spending.add(outcome.usage);
      const event: Compaction = { type: "compaction", ...outcome, dollars: cost(outcome.usage) };
      record(event);
      if (event.replaced !== undefined) {
        start = Math.max(1, start - event.replaced.upTo + 1);
        guard = createGuard(session.messages); // the model no longer knows what it has called
      }
      return event;
    },
    inner(call, event) {
      if (event.type === "step" || event.type === "compaction") spending.add(event.usage);
      record({ type: "explored", id: call, event });
    },
    exhausted: () => (signal.aborted ? interruption() : spending.exhausted()),
    stop(status, failure) {
      for (const event of options.lastWords?.() ?? []) record(event);
      const { steps, usage } = spending;
      const { unasked } = session;
      record({ type: "stop", status, steps, usage, dollars: cost(usage), answer: answer.text, failure, unasked });
      return { status, answer: answer.text, failure };
    },
  };
  return turn;
}

/** Behind the interruption, which is told once, stands only what came after it. */
function interruptible(
  record: (event: Event) => void,
  signal: AbortSignal,
  interruption: () => Interruption,
): (event: Event) => void {
  let told = false;
  return (event) => {
    if (signal.aborted && !told && event.type !== "start") {
      told = true;
      record({ type: "interrupted", by: interruption() });
    }
    record(event);
  };
}
