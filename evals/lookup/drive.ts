/**
 * Asks the offline model one question through the assembly of `croft ask`: real tools, real loop, real citation check.
 */

import type { Event, Status } from "../../packages/harness/src/event.ts";
import { policyGate } from "../../packages/harness/src/gate/rules.ts";
import { offline } from "../../packages/harness/src/model/offline/offline.ts";
import { openLog } from "../../packages/harness/src/session/log.ts";
import { openAsk } from "../../packages/harness/src/preset/ask.ts";

export type Asked = {
  status: Status;
  answer: string;
  steps: number;
  /** Characters the tools sent. */
  chars: number;
  citations: readonly Extract<Event, { type: "citation" }>[];
};

/** One question, in a session of its own. */
export async function drive(root: string, question: string): Promise<Asked> {
  const events: Event[] = [];
  const session = openLog({ id: "lookup" });
  const emit = (event: Event): void => void events.push(event);
  const ask = openAsk({ root, model: offline(), gate: policyGate(), session, emit });
  try {
    const { status, answer } = await ask.ask(question, new AbortController().signal);
    const chars = events.reduce((sum, event) => sum + (event.type === "tool_result" ? event.chars : 0), 0);
    const citations = events.filter((event) => event.type === "citation");
    return { status, answer, steps: events.filter(({ type }) => type === "step").length, chars, citations };
  } finally {
    await ask.close();
  }
}
