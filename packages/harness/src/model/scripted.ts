/** A model that plays a script: deterministic, reacting to what was said, with no service behind it. */

import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "../error.ts";
import { type AssistantMessage, noUsage, originOf, type TextBlock, type Usage } from "../message.ts";
import { streamCut } from "./http-failure.ts";
import { failureIn, type Delta, type Model, type ModelRequest, type Reply, type Stop } from "./model.ts";
import { isObject } from "../json.ts";

/** A call without an id gets one of its own: `call_<request>_<place>`. */
export type Part =
  | TextBlock
  | { type: "tool_use"; name: string; input: unknown; id?: string | undefined }
  | { type: "thinking"; text: string };

export type Turn = {
  parts: readonly Part[];
  /** Default: tool_use where there is a call, end_turn elsewhere. */
  stop?: Stop | undefined;
  usage?: Usage | undefined;
  /** Milliseconds before anything is said. */
  delayMs?: number | undefined;
};
export type ScriptedReply = Part | readonly Part[] | Turn;
/** The replies in order, or a function of the request and its number, counted from 1. */
export type Script = readonly ScriptedReply[] | ((request: ModelRequest, n: number) => ScriptedReply);

/** Text of a reply. */
export function say(text: string): Part {
  return { type: "text", text };
}

/** A call of a tool. An input that is no object is a bad input, like one that could not be parsed. */
export function call(name: string, input: unknown, id?: string): Part {
  return { type: "tool_use", name, input, id };
}

/** Thinking that goes before a reply. */
export function think(text: string): Part {
  return { type: "thinking", text };
}

/** A reply that fails before anything is said. */
export function fail(failed: Failure): Turn {
  return { parts: [], stop: { failed } };
}

/** A reply whose stream is cut after some text. */
export function cutAfter(text: string): Turn {
  return { parts: [say(text)], stop: { failed: streamCut("The script cut this reply.") } };
}

/** The same reply, but late. */
export function slow(delayMs: number, reply: ScriptedReply): Turn {
  return { ...turnOf(reply), delayMs };
}

/** The same reply, with the tokens it reports. */
export function using(usage: Partial<Usage>, reply: ScriptedReply): Turn {
  return { ...turnOf(reply), usage: { ...noUsage, ...usage } };
}

/** The model. A request beyond the end of the script is answered with a failed stop, E_SCRIPT_ENDED. */
export function scripted(script: Script, options: { id?: string | undefined } = {}): Model {
  const { id = "scripted" } = options;
  let requests = 0;

  return {
    id,
    context: 1_000_000,
    output: 128_000,
    images: true,
    respond: async (request, sink, signal) => {
      requests += 1;
      const n = requests;
      const turn = turnOf(next(script, request, n));
      if (!(await waited(turn.delayMs ?? 0, signal))) return replyOf(id, [], "aborted", noUsage);
      turn.parts.forEach((part, index) => stream(part, idOf(part, n, index), sink));
      const content = turn.parts.map((part, index) => blockOf(part, idOf(part, n, index)));
      const calls = content.some(({ type }) => type === "tool_use");
      return replyOf(id, content, turn.stop ?? (calls ? "tool_use" : "end_turn"), turn.usage ?? noUsage);
    },
  };
}

type Content = AssistantMessage["content"];

function turnOf(reply: ScriptedReply): Turn {
  if ("parts" in reply) return reply;
  return { parts: "type" in reply ? [reply] : reply };
}

function next(script: Script, request: ModelRequest, n: number): ScriptedReply {
  if (typeof script === "function") return script(request, n);
  return script[n - 1] ?? fail(scriptEnded(script.length, n));
}

function idOf(part: Part, n: number, index: number): string {
  return (part.type === "tool_use" ? part.id : undefined) ?? `call_${n}_${index + 1}`;
}

function stream(part: Part, id: string, sink: (delta: Delta) => void): void {
  if (part.type === "text") sink({ type: "text", text: part.text });
  else if (part.type === "thinking") sink({ type: "progress", text: part.text });
  else sink({ type: "tool_input", id, name: part.name, chars: JSON.stringify(part.input).length });
}

function blockOf(part: Part, id: string): Content[number] {
  if (part.type === "text") return part;
  if (part.type === "thinking") return { type: "opaque", raw: part };
  return { type: "tool_use", id, name: part.name, input: part.input };
}

/** As the port has it: of a reply that failed only the text is kept. */
function replyOf(id: string, content: Content, stop: Stop, usage: Usage): Reply {
  const failed = stop === "aborted" || failureIn(stop) !== undefined;
  const kept = failed ? content.filter(({ type }) => type === "text") : content;
  const badInputs = kept.flatMap((block): [string, string][] =>
    block.type === "tool_use" && !isObject(block.input) ? [[block.id, "The input must be one JSON object."]] : [],
  );
  const message = { role: "assistant" as const, content: kept, origin: originOf(id) };
  return { message, usage, stop, badInputs: new Map(badInputs) };
}

/** False: the signal fired first. */
async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  if (ms === 0) return !signal.aborted;
  return delay(ms, true, { signal }).catch(() => false);
}

function scriptEnded(length: number, n: number): Failure {
  return new Failure("E_SCRIPT_ENDED", `The script has ${length} replies, but this is request ${n}.`, {
    remedy: "Add a reply to the script, or find out why the loop asks once more.",
  });
}
