/** A person at a terminal who is asked before things happen. */

import { setTimeout } from "node:timers/promises";
import type { Ask } from "@croft/harness";
import type { Input } from "../io.ts";
import { noLimits, usualLimits } from "./changes.ts";
import type { Output } from "./output.ts";
import type { Paint } from "./paint.ts";
import { pending } from "./pending.ts";
import { actionLines, answerOf, promptFor } from "./question.ts";

/** Milliseconds in which what was typed before a question is taken away: it cannot be an answer to it. */
const drainMs = 30;

export type Terminal = { input: Input; err: Output; paint: Paint };

/** Shows an action and waits for a line. The end of input is a no. Throws the signal's reason when it fires. */
export function personAt({ input, err, paint }: Terminal): Ask {
  return async (action, signal) => {
    await drain(input);
    for (let limits = usualLimits; ; limits = noLimits) {
      const { lines, hidden } = actionLines(action, paint, limits);
      err.write([...lines, promptFor(action, hidden)].join("\n"));
      const line = await lineFrom(input, signal);
      if (line === undefined) err.write("\n");
      if (hidden === 0 || line?.trim() !== "d") return answerOf(line ?? "", action);
    }
  };
}

async function drain(input: Input): Promise<void> {
  const drop = (): void => {};
  input.on("data", drop).resume();
  await setTimeout(drainMs);
  input.off("data", drop);
  input.pause();
}

/** The first line that comes; more in the same piece was pasted, and is no answer to anything. */
async function lineFrom(input: Input, signal: AbortSignal): Promise<string | undefined> {
  signal.throwIfAborted();
  if (input.readableEnded || input.destroyed) return undefined;
  return pending<string | undefined>(signal, (answer) => {
    let text = "";
    const onData = (piece: Buffer | string): void => {
      text += piece.toString();
      if (text.includes("\n")) answer(text.split("\n", 1)[0]);
    };
    const onEnd = (): void => answer(undefined);
    input.on("data", onData).once("end", onEnd).resume();
    return () => input.off("data", onData).off("end", onEnd).pause();
  });
}
