/**
 * What a session looks like, folded from its events: what goes on and is still in motion, and at each event the blocks
 * that are finished and stay. Knows no terminal and no clock.
 */

import { textOf, type Event, type Spent } from "@croft/harness";
import { emptyStream, ended, fed, type Stream } from "../markdown/stream.ts";
import { usualLimits } from "../changes.ts";
import { tokensText } from "../cost.ts";
import {
  citationLines,
  compactionLine,
  isVerdict,
  stopLine,
  totalsLine,
  verdictWord,
  type Verification,
} from "../outcome.ts";
import { paintFor } from "../paint.ts";
import type { Block, EndedCall, Tone } from "./block.ts";
import { keep, type Records } from "./records.ts";

type Of<Type extends Event["type"]> = Extract<Event, { type: Type }>;

/** A call that still runs. `begun`: milliseconds; `lines`: the last of its output, the unfinished one behind them. */
export type Running = {
  id: string;
  name: string;
  input: unknown;
  begun: number;
  lines: readonly string[];
  partial: string;
};

export type View = {
  /** The answer as it comes; `begun`: a block of it is on the screen already. */
  readonly answer: { readonly stream: Stream; readonly begun: boolean };
  /** The unfinished line of what the model says of its thinking. */
  readonly thought: string;
  /** A call that is being written. */
  readonly writing: { readonly name: string; readonly chars: number } | undefined;
  readonly running: readonly Running[];
  readonly records: Records;
  readonly turn: Turn;
};

/** What is told when a turn stops. */
type Turn = {
  citations: readonly Of<"citation">[];
  changed: readonly string[];
  earlier: Spent | undefined;
  verification: Verification | undefined;
};

const noAnswer = Object.freeze({ stream: emptyStream, begun: false });
const noTurn: Turn = Object.freeze({
  citations: [],
  changed: [],
  earlier: undefined,
  verification: undefined,
});
export const emptyView: View = Object.freeze({
  answer: noAnswer,
  thought: "",
  writing: undefined,
  running: [],
  records: [],
  turn: noTurn,
});

/** Lines of output that a running call keeps in sight, and characters of one of them. */
const outputMost = 6;
const characterMost = 400;
/** Characters of a thought that has no end, before what there is of it is written. */
const thoughtMost = 2_000;

type Folded = { view: View; blocks: Block[] };

/** `now`: milliseconds, of any clock that only goes forward. */
export function folded(view: View, event: Event, now: number): Folded {
  if (event.type === "delta") return withDelta(view, event.delta);
  const { view: calm, blocks } = settled(view, event);
  const next = withEvent(calm, event, now);
  return { view: next.view, blocks: [...blocks, ...next.blocks] };
}

function withDelta(view: View, delta: Of<"delta">["delta"]): Folded {
  switch (delta.type) {
    case "text": {
      const thought = thoughtBlocks(view.thought);
      const { stream, blocks } = fed(view.answer.stream, delta.text);
      const shown = answerBlocks(blocks, view.answer.begun);
      const begun = view.answer.begun || shown.length > 0;
      return { view: { ...view, thought: "", answer: { stream, begun } }, blocks: [...thought, ...shown] };
    }
    case "progress": {
      const text = view.thought + delta.text;
      const end = text.length > thoughtMost ? text.length : text.lastIndexOf("\n") + 1;
      return { view: { ...view, thought: text.slice(end) }, blocks: thoughtBlocks(text.slice(0, end)) };
    }
    case "tool_input":
      return { view: { ...view, writing: { name: delta.name, chars: delta.chars } }, blocks: [] };
    case "notice":
      return { view, blocks: [line(delta.text, "dim")] };
    case "discard": {
      const again = view.answer.begun ? [line("The reply broke off; it is asked for again.", "dim")] : [];
      return { view: { ...view, thought: "", writing: undefined, answer: noAnswer }, blocks: again };
    }
  }
  return delta satisfies never;
}

/** Whatever was still coming is complete when anything else happens. */
function settled(view: View, event: Event): Folded {
  if (event.type === "output" || event.type === "explored" || event.type === "lines") return { view, blocks: [] };
  const { stream, begun } = view.answer;
  const rest = answerBlocks(ended(stream), begun);
  const answer = { stream: emptyStream, begun: begun || rest.length > 0 };
  return {
    view: { ...view, thought: "", writing: undefined, answer },
    blocks: [...thoughtBlocks(view.thought), ...rest],
  };
}

function withEvent(view: View, event: Exclude<Event, { type: "delta" }>, now: number): Folded {
  const { turn } = view;
  const only = (...blocks: Block[]): Folded => ({ view, blocks });
  switch (event.type) {
    case "start": {
      const { earlier, task } = event;
      const next = { ...view, answer: noAnswer, turn: { ...noTurn, earlier } };
      return { view: next, blocks: [{ type: "asked", text: task }] };
    }
    case "steered":
      return only({ type: "asked", text: event.text });
    case "explored":
      return { view: withOutputOf(view, event.id, innerLine(event.event)), blocks: [] };
    case "attachment":
      if (event.ok) return only(line(`attached ${event.preview} (${event.chars} characters)`, "dim"));
      return only(line(`not attached: @${event.name}: ${event.preview}`, "bad"));
    case "message":
      return withMessage(view, event.message);
    case "step": // what was checked before belongs to an answer that is being corrected
      return { view: { ...view, turn: { ...turn, citations: [] } }, blocks: [] };
    case "compaction":
      return only(line(compactionLine(event), "dim"));
    case "tool_call": {
      const { id, name, input } = event;
      const call = { id, name, input, begun: now, lines: [], partial: "" };
      return { view: { ...view, running: [...view.running, call] }, blocks: [] };
    }
    case "output":
      return { view: withOutputOf(view, event.id, event.text), blocks: [] };
    case "tool_result":
      return withResult(view, event, now);
    case "decision": // a refusal is seen in the result, and what a person approved they have seen
      if (event.action.kind !== "write" || !event.verdict.allowed || event.verdict.by === "person") return only();
      return only({ type: "changes", changes: event.action.changes, limits: usualLimits });
    case "check": {
      const blocks = checkBlocks(event);
      if (event.name !== "verify" || !isVerdict(event.result)) return { view, blocks };
      return { view: { ...view, turn: { ...turn, verification: event.result } }, blocks };
    }
    case "citation":
      return { view: { ...view, turn: { ...turn, citations: [...turn.citations, event] } }, blocks: [] };
    case "notice":
      return only(line(event.text, "dim"));
    case "rejected":
      return only(line(`left out from now on, as the service refuses it: ${event.what}`, "dim"));
    case "stop":
      return { view: { ...view, running: [], answer: noAnswer, turn: noTurn }, blocks: stopBlocks(view, event) };
    case "interrupted": // and this in the stop
    case "lines":
      return only();
  }
  return event satisfies never;
}

function withMessage(view: View, message: Of<"message">["message"]): Folded {
  if (message.role === "user") return { view: { ...view, records: keep.results(view.records, message) }, blocks: [] };
  // Nothing of it had come in pieces.
  const whole = view.answer.begun ? [] : answerBlocks(blocksIn(textOf(message)), false);
  const records = keep.calls(view.records, message);
  return { view: { ...view, records, answer: noAnswer }, blocks: whole };
}

function withOutputOf(view: View, id: string, text: string): View {
  return { ...view, running: view.running.map((call) => (call.id === id ? withOutput(call, text) : call)) };
}

/** What an agent inside a call does, as a line of that call's output. */
function innerLine(event: Of<"explored">["event"]): string {
  if (event.type !== "tool_call") return "";
  return `${event.name} ${JSON.stringify(event.input)}\n`;
}

function withOutput(call: Running, text: string): Running {
  const lines = (call.partial + text).split("\n");
  const partial = (lines.pop() ?? "").slice(-characterMost);
  return { ...call, lines: [...call.lines, ...lines.slice(-outputMost)].slice(-outputMost), partial };
}

function withResult(view: View, event: Of<"tool_result">, now: number): Folded {
  const call = view.running.find(({ id }) => id === event.id);
  const { name, ok, preview, details, landed } = event;
  const output = call === undefined ? [] : [...call.lines, ...(call.partial === "" ? [] : [call.partial])];
  const seconds = (now - (call?.begun ?? now)) / 1000;
  const done: EndedCall = { name, input: call?.input, ok, preview, details, landed, seconds, output };
  const changed = [...new Set([...view.turn.changed, ...(landed ?? []).map(({ path }) => path)])];
  const running = view.running.filter(({ id }) => id !== event.id);
  return { view: { ...view, running, turn: { ...view.turn, changed } }, blocks: [{ type: "call", call: done }] };
}

function checkBlocks({ name, result }: Of<"check">): Block[] {
  if (!result.pass)
    return [{ type: "lines", lines: [`check ${name} failed:`, ...result.report.split("\n")], tone: "bad" }];
  if (result.note === undefined) return [];
  return [line(`${verdictWord(result)}: ${result.note}`, result.unverified === true ? "dim" : "good")];
}

function stopBlocks({ turn }: View, event: Of<"stop">): Block[] {
  const paint = paintFor(false);
  const lines = citationLines(turn.citations, paint);
  const bad = lines.slice(0, -1);
  const { earlier, verification } = turn;
  return [
    ...(bad.length === 0 ? [] : [{ type: "lines" as const, lines: bad, tone: "bad" as const }]),
    ...lines.slice(-1).map((text) => line(text, bad.length === 0 ? "good" : "dim")),
    ...(event.status === "done" ? [] : [line(stopLine(event), event.status === "cancelled" ? "dim" : "bad")]),
    line(totalsLine(event, { changed: turn.changed.length, earlier, verification, tokens: tokensText }), "dim"),
  ];
}

function blocksIn(text: string): string[] {
  const { stream, blocks } = fed(emptyStream, text);
  return [...blocks, ...ended(stream)];
}

function answerBlocks(sources: readonly string[], begun: boolean): Block[] {
  const shown = sources.filter((source) => source.trim() !== "");
  return shown.map((source, index) => ({ type: "answer", source, first: !begun && index === 0 }));
}

function thoughtBlocks(text: string): Block[] {
  return text.trim() === "" ? [] : [{ type: "thought", text: text.trim() }];
}

function line(text: string, tone: Tone): Block {
  return { type: "lines", lines: [text], tone };
}
