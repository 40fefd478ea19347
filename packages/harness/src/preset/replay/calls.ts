/** The calls of a recorded turn, answered from the trace. */

import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { asText, unfinishedCall } from "../../agent/run-tools.ts";
import { Failure } from "../../error.ts";
import type { Tool, ToolContext, ToolResult } from "../../tool/tool.ts";
import type { RecordedCall } from "./recording.ts";
import type { Tape } from "./tape.ts";

export type Calls = {
  /** The tool as the model knows it, its input checked as ever, its results those of the trace. */
  serve(tool: Tool): Tool;
  /** Tells what the doors told before the event that stands next. */
  passOn(): void;
  /** Whether a call of this step is still to be answered, inside of which an agent worked. */
  isExploring(): boolean;
  /** The calls that a tool has answered by now, in order. */
  readonly answered: readonly RecordedCall[];
};

/** `passOn` tells what the doors told while the calls ran, `interrupt` fires an interruption, if such stand next. */
export function serveCalls(
  calls: readonly RecordedCall[],
  tape: Tape,
  { passOn, interrupt }: { passOn: () => void; interrupt: () => void },
): Calls {
  const left = [...calls];
  const answered: RecordedCall[] = [];

  async function answer(name: string, input: unknown, { inner }: ToolContext): Promise<ToolResult> {
    passOn();
    const isThis = (call: RecordedCall): boolean => call.name === name && isDeepStrictEqual(call.input, input);
    const index = left.findIndex((call) => call.step === tape.step && isThis(call));
    const [call] = index === -1 ? [] : left.splice(index, 1);
    if (call === undefined) throw notRecorded(name);
    for (const event of call.inner) inner?.(event);

    const text = asText(call.result.content);
    const finished = isFinished(call.ok, text);
    if (finished) answered.push(call);
    if (finished && !call.ok) throw new Failure("E_RECORDED", text);

    if (tape.peek()?.type === "interrupted") {
      await setImmediate(); // by then all calls beside it have begun, and failed if they did
      interrupt();
    }
    if (!finished) throw new Failure("E_RECORDED", text);
    return call.result;
  }

  return {
    answered,
    passOn,
    isExploring: () => left.some(({ step, inner }) => step === tape.step && inner.length > 0),
    serve: (tool) => ({
      name: tool.name,
      description: tool.description,
      schema: tool.schema,
      wire: tool.wire,
      effect: tool.effect,
      parse(input) {
        tool.parse(input);
        return input;
      },
      run: (input, context) => answer(tool.name, input, context),
    }),
  };
}

/** Whether any of the results that stand next, the first one `ahead`, is that of a call that was finished. */
export function anyFinishes(tape: Tape, ahead: number): boolean {
  for (let at = ahead; ; at += 1) {
    const next = tape.peek(at);
    if (next?.type !== "tool_result") return false;
    if (isFinished(next.ok, next.preview)) return true;
  }
}

function isFinished(ok: boolean, text: string): boolean {
  return ok || !Object.values(unfinishedCall).includes(text);
}

function notRecorded(name: string): Failure {
  return new Failure("E_REPLAY_EXHAUSTED", `The trace holds no result of this call of ${name}.`, {
    remedy: "The recorded run did not make it.",
  });
}
