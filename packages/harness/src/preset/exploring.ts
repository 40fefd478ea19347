/** Questions answered by an agent of its own inside a turn: it only reads, through the same doors and with the same model. */

import type { AgentOptions, Explorer } from "../agent/agent.ts";
import { runTurn } from "../agent/loop.ts";
import type { Budget, Event, Inner } from "../event.ts";
import { openLog } from "../session/log.ts";
import type { Explored } from "../tool/tool.ts";
import type { Hash } from "../workspace/fence.ts";
import { createLedger, type Shown } from "../workspace/ledger.ts";
import { turnstile } from "./turnstile.ts";

/** What all explorations of a session share. It has no explorer of its own: nothing explores further. */
export type ExploringAgent = Omit<AgentOptions, "session" | "ledger" | "budget" | "emit" | "attach" | "explorer">;

const atOnce = 2;
/** Of the tokens that a turn has left, so that those who explore at the same time leave some for the answer. */
const share = 1 / 4;

type Citation = Explored["citations"][number];

/**
 * `agent`: called for each exploration. `budget`: of one of them, which gets no more than its share of what the turn has
 * left.
 */
export function exploringWith(agent: () => ExploringAgent, budget: Budget): Explorer {
  const enter = turnstile(atOnce);
  return async (question, { tokensLeft, tell }, signal) => {
    using _place = await enter();
    signal.throwIfAborted();
    const tokens = Math.min(budget.tokens, Math.floor(tokensLeft() * share));
    const session = openLog({ id: "exploration" });
    const heard = hearing();
    const emit = (event: Event): void => {
      heard.take(event);
      const told = toldOf(event);
      if (told !== undefined) tell(told);
    };
    const options = { ...agent(), session, ledger: createLedger(), budget: { ...budget, tokens }, emit };
    const { status, answer, failure } = await runTurn(question, options, signal);
    signal.throwIfAborted();
    return { status, answer, failure, ...heard.result() };
  };
}

/** What a person is told of it. What a result showed, or compaction replaced, is nobody else's. */
function toldOf(event: Event): Inner | undefined {
  switch (event.type) {
    case "tool_result": {
      const { type, id, name, ok, chars, preview } = event;
      return { type, id, name, ok, chars, preview };
    }
    case "compaction":
      return { ...event, replaced: undefined };
    case "step":
    case "tool_call":
    case "notice":
      return event;
    default:
      return undefined;
  }
}

type Hearing = {
  take(event: Event): void;
  result(): Pick<Explored, "steps" | "citations" | "cited" | "files">;
};

/** Gathers, along the events of a turn, what its answer rests on. */
function hearing(): Hearing {
  const hashes = new Map<string, Hash>();
  let citations: Citation[] = [];
  let steps = 0;
  return {
    take(event) {
      if (event.type === "tool_result") for (const { path, hash } of event.shown ?? []) hashes.set(path, hash);
      if (event.type === "citation") citations.push(event);
      if (event.type !== "step") return;
      if (event.unsent !== true) steps += 1;
      citations = []; // those before belong to an answer that is being corrected
    },
    result: () => ({
      steps,
      citations: citations.map(({ ref, state, reason }) => ({ ref, state, reason })),
      cited: citations.filter(({ state }) => state === "verified").flatMap(({ ref }) => linesOf(ref, hashes)),
      files: [...hashes.keys()],
    }),
  };
}

/** `path:line` or `path:line-line`, of the version that was shown last; nothing where the path was led elsewhere. */
function linesOf(ref: string, hashes: ReadonlyMap<string, Hash>): Shown[] {
  const [, path = "", from = "", to = from] = /^(.*):(\d+)(?:-(\d+))?$/s.exec(ref) ?? [];
  const hash = hashes.get(path);
  return hash === undefined ? [] : [{ path, hash, from: Number(from), to: Number(to), via: "report" }];
}
