/** The calls of one reply: reads run together, all else in call order, and one message answers every one of them. */

import { asFailure, Failure, type FailureData } from "../error.ts";
import type { Inner, Interruption } from "../event.ts";
import { fromHarness, type ToolResultBlock, type ToolUseBlock, type UserMessage } from "../message.ts";
import { firstLine } from "../slice.ts";
import type { Tool, ToolContext, ToolResult } from "../tool/tool.ts";
import { learn } from "../workspace/ledger.ts";
import type { AgentOptions } from "./agent.ts";
import type { Step } from "./ask-model.ts";
import { cutMiddle } from "./cut-middle.ts";
import type { RunningTurn } from "./turn.ts";

type Calls = Extract<Step, { kind: "calls" }>;

/** Reads that run at a time, however many one reply asks for. */
const concurrency = 8;
/** Characters of one result at most; what a tool gives beyond that is cut in the middle, and said so. */
const resultLimit = 100_000;
/** Of a small context one result takes a quarter at most, at three characters a token. */
const charactersOfContext = 0.75;

/** Runs and answers every call. Says why the turn should end, if the model is stuck. */
export async function runTools(step: Calls, turn: RunningTurn): Promise<FailureData | undefined> {
  const results: ToolResultBlock[] = [];
  for (const batch of batchesOf(step.calls, turn.options.tools)) {
    for (const call of batch) turn.record({ type: "tool_call", id: call.id, name: call.name, input: call.input });
    const outcomes = await Promise.all(batch.map((call) => outcomeOf(call, step, turn)));
    for (const [index, call] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome !== undefined) results.push(report(call, outcome, turn));
    }
  }
  const answer: UserMessage = { role: "user", content: results };
  if (turn.options.budget.steps - turn.spending.steps === 1) answer.content.push(fromHarness(lastStep));
  turn.add(answer);
  return turn.guard.endStep(results);
}

const lastStep = "This is the last step: answer now with what you have found; no further tool calls will be run.";

function* batchesOf(calls: readonly ToolUseBlock[], tools: readonly Tool[]): Generator<readonly ToolUseBlock[]> {
  const isRead = (call: ToolUseBlock): boolean => (toolNamed(call.name, tools)?.effect ?? "read") === "read";
  let batch: ToolUseBlock[] = [];
  for (const call of calls) {
    if (!isRead(call) || batch.length === concurrency) {
      if (batch.length > 0) yield batch;
      batch = [];
    }
    if (isRead(call)) batch.push(call);
    else yield [call];
  }
  if (batch.length > 0) yield batch;
}

function toolNamed(name: string, tools: readonly Tool[]): Tool | undefined {
  return tools.find((tool) => tool.name === name);
}

type Outcome = { ok: true; result: ToolResult } | { ok: false; text: string };

async function outcomeOf(call: ToolUseBlock, step: Calls, turn: RunningTurn): Promise<Outcome> {
  if (turn.signal.aborted) return { ok: false, text: unfinishedCall[turn.interruption()] };
  const limit = Math.min(resultLimit, Math.max(2_000, turn.options.model.context * charactersOfContext));
  const unrunnable = step.unrunnable.get(call.id);
  if (unrunnable !== undefined) return { ok: false, text: unrunnable };
  try {
    const context = { ...turn.options, ...contextOf(call, turn), resultLimit: limit };
    return { ok: true, result: await runTool(call, context, turn.signal) };
  } catch (thrown) {
    return {
      ok: false,
      text: turn.signal.aborted
        ? unfinishedCall[turn.interruption()]
        : cutMiddle(asFailure(thrown).narration, limit, advice),
    };
  }
}

/** What a call has of the turn it is made in. */
function contextOf({ id }: ToolUseBlock, turn: RunningTurn): Pick<ToolContext, "progress" | "inner" | "explore"> {
  const { explorer } = turn.options;
  const inner = (event: Inner): void => turn.inner(id, event);
  const inside = { tokensLeft: () => turn.spending.tokensLeft(), tell: inner };
  return {
    progress: (text) => turn.record({ type: "output", id, text }),
    inner,
    explore: explorer && ((question) => explorer(question, inside, turn.signal)),
  };
}

/** The answer to a call that was not finished. */
export const unfinishedCall: Readonly<Record<Interruption, string>> = {
  cancelled: "Cancelled by the user.",
  timeout: "Not finished: the time for this turn is up.",
};

/** One call as a model makes it: the tool found by name, the input parsed, run through the doors. Throws Failure. */
export async function runTool(
  call: { name: string; input: unknown },
  options: Pick<AgentOptions, "tools" | "workspace" | "ledger" | "runner" | "outputs"> &
    Pick<ToolContext, "resultLimit" | "progress" | "inner" | "explore">,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { tools, workspace, ledger, runner, outputs, progress, inner, explore } = options;
  const { resultLimit: limit = resultLimit } = options;
  const tool = toolNamed(call.name, tools);
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(", ");
    throw new Failure("E_UNKNOWN_TOOL", `There is no tool ${JSON.stringify(call.name)}.`, {
      remedy: `The tools are: ${names}.`,
    });
  }
  const context = { workspace, ledger, runner, outputs, progress, inner, explore, resultLimit: limit, signal };
  const result = await bounded(await tool.run(tool.parse(call.input), context), { limit, outputs });
  learn(ledger, result);
  return result;
}

function report(call: ToolUseBlock, outcome: Outcome, turn: RunningTurn): ToolResultBlock {
  const content = outcome.ok ? outcome.result.content : [{ type: "text" as const, text: outcome.text }];
  const block: ToolResultBlock = { type: "tool_result", toolUseId: call.id, content, isError: !outcome.ok };
  const { shown, landed, details }: Partial<ToolResult> = outcome.ok ? outcome.result : {};
  const warning = turn.guard.note(call, block, shown);
  if (warning !== undefined) block.content = [...content, fromHarness(warning)];

  const text = asText(content);
  turn.record({
    type: "tool_result",
    id: call.id,
    name: call.name,
    ok: outcome.ok,
    chars: text.length,
    preview: firstLine(text, outcome.ok ? 200 : 600),
    shown,
    landed,
    details,
  });
  return block;
}

/** What a result holds, as one text; the `chars` of its event are those of this. */
export function asText(content: ToolResult["content"]): string {
  return content.map((part) => (part.type === "text" ? part.text : "(image)")).join("\n");
}

/** A result that was cut is not cut again. What is cut is kept whole where outputs are. */
async function bounded(
  result: ToolResult,
  { limit, outputs }: { limit: number; outputs: AgentOptions["outputs"] },
): Promise<ToolResult> {
  const content = result.content.map(async (block) => {
    if (block.type !== "text" || block.text.length <= limit) return block;
    const id = await outputs?.keep(block.text);
    const next = id === undefined ? advice : `: ${outputs?.readOn(id) ?? ""}`;
    return { ...block, text: cutMiddle(block.text, limit, next) };
  });
  return { ...result, content: await Promise.all(content) };
}

const advice = ": ask for less";
