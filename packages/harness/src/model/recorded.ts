/** A model that says again what was recorded, to the one who asks again what was asked. */

import { Failure } from "../error.ts";
import type { Message } from "../message.ts";
import { firstDifference, type FirstDifference } from "../first-difference.ts";
import { emptyReply, type Delta, type Model, type Reply, type Window } from "./model.ts";

/** A request as it was made and answered. */
export type Exchange = {
  messages: readonly Message[];
  /** Whatever is asked gets this reply. */
  unchecked?: true | undefined;
  /** What was told besides the reply: retries, a lowered limit. */
  notices: readonly Extract<Delta, { type: "notice" }>[];
  reply: Reply;
};

/**
 * Answers each request with the reply of the exchange whose turn it is, failed and aborted ones too; text comes as one
 * delta a block. A request that asks something else ends with a failed stop, E_REPLAY_DIFFERS, which names the step and
 * where the messages first differ, and one beyond the last exchange with E_REPLAY_EXHAUSTED. After either no other
 * request is answered. Only messages are compared: system prompt and tools are the business of who assembles the run.
 */
export function recorded(id: string, exchanges: readonly Exchange[], window: Window = boundless): Model {
  let step = 0;
  let failed: Failure | undefined;

  function answerTo(messages: readonly Message[]): Exchange | Failure {
    step += 1;
    const exchange = exchanges[step - 1];
    if (exchange === undefined) return exhausted(exchanges.length, step);
    if (exchange.unchecked === true) return exchange;
    const difference = firstDifference(exchange.messages, messages, "messages");
    return difference === undefined ? exchange : differs(step, difference);
  }

  return {
    id,
    output: Number.POSITIVE_INFINITY,
    ...window,
    respond: async ({ messages }, sink, signal) => {
      if (signal.aborted) return emptyReply(id, "aborted");
      const answer = failed ?? answerTo(messages);
      if (answer instanceof Failure) {
        failed = answer;
        return emptyReply(id, { failed });
      }
      answer.notices.forEach(sink);
      for (const block of answer.reply.message.content) if (block.type === "text") sink(block);
      return answer.reply;
    },
  };
}

const boundless: Window = { context: Number.POSITIVE_INFINITY, images: true, wantsAllResults: true };

function differs(step: number, { path, expected, actual }: FirstDifference): Failure {
  const where = `Request ${step} is not the one that was recorded: ${path} was ${expected} and is now ${actual}.`;
  return new Failure("E_REPLAY_DIFFERS", where, {
    remedy: "Look for what changed since: the trace, or the code that makes the messages.",
  });
}

function exhausted(count: number, step: number): Failure {
  const replies = count === 1 ? "1 reply" : `${count} replies`;
  return new Failure("E_REPLAY_EXHAUSTED", `The trace holds ${replies}, but this is request ${step}.`, {
    remedy: "The run goes on where the recorded one ended: it was cut off, or something changed since.",
  });
}
