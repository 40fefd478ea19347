/** A gate that asks over a chat system: a question is posted, and whoever reads it answers when they come to it. */

import { setTimeout as sleep } from "node:timers/promises";
import { codeGate, type Action, type Answer, type Gate } from "@croft/harness";

export type Chat = {
  /** Where questions are posted, as `POST /questions`, and their answers looked for, as `GET /questions/<id>`. */
  url: string;
  /** Milliseconds after which no answer is a no. */
  patience: number;
  /** Milliseconds between two looks. */
  interval: number;
};

/** What needs nobody's approval is decided by the rules as ever; ordinary changes are asked about too. */
export function chatGate(chat: Chat): Gate {
  return codeGate({ yes: false, ask: (action, signal) => askIn(chat, action, signal) });
}

/** Throws what the chat system throws, which the gate takes for a no. */
async function askIn({ url, patience, interval }: Chat, action: Action, given: AbortSignal): Promise<Answer> {
  const late = AbortSignal.timeout(patience);
  const signal = AbortSignal.any([given, late]);
  try {
    const { id } = await talk(`${url}/questions`, { method: "POST", body: JSON.stringify(told(action)), signal });
    for (;;) {
      const { answer, note } = await talk(`${url}/questions/${id}`, { signal });
      if (answer !== undefined) return { allowed: answer === "yes", note };
      await sleep(interval, undefined, { signal });
    }
  } catch (thrown) {
    if (late.aborted && !given.aborted) return { allowed: false, note: "nobody answered in time." };
    throw thrown;
  }
}

/** All that a person needs to judge it. */
function told(action: Action): object {
  switch (action.kind) {
    case "write":
      return { text: "May I change this?", diffs: action.changes.map(({ path, diff }) => ({ path, diff })) };
    case "run":
      return { text: "May I run this?", command: action.command, folder: action.cwd, rule: action.verdict.rule };
    default:
      return { text: `May I ${action.kind} this?`, path: action.path ?? action.asked };
  }
}

type Said = { id?: string; answer?: "yes" | "no"; note?: string };

async function talk(url: string, request: RequestInit): Promise<Said> {
  const response = await fetch(url, request);
  if (!response.ok) throw new Error(`The chat system answered with ${response.status}.`);
  return Object(await response.json());
}
