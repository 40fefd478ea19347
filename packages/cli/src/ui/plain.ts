/**
 * A run for a person at a plain terminal or a log: progress, doubts and totals on stderr as they happen, and the
 * answer, once and final, on stdout. Nothing else ever goes to stdout, so it can be piped.
 */

import { textOf, todosIn, toolUsesOf, type Event, type Inner, type Spent } from "@croft/harness";
import { changeLines, landedText, usualLimits } from "./changes.ts";
import { countedText, tokensText } from "./cost.ts";
import { escapeLine, escapeText } from "./escape.ts";
import {
  citationLines,
  compactionLine,
  isVerdict,
  stopLine,
  totalsLine,
  verdictWord,
  type TurnTotals,
  type Verification,
} from "./outcome.ts";
import type { Output } from "./output.ts";
import type { Paint } from "./paint.ts";
import { plural } from "./plural.ts";
import { endLines, watchCommand } from "./running.ts";
import type { Spinner } from "./spinner.ts";
import { todoLines } from "./todos.ts";

type Stop = Extract<Event, { type: "stop" }>;
type ToolResult = Extract<Event, { type: "tool_result" }>;

/** What is told when a turn stops. */
type Turn = {
  citations: Extract<Event, { type: "citation" }>[];
  changed: Set<string>;
  trace: string | undefined;
  earlier: Spent | undefined;
  verification: Verification | undefined;
};

/** Characters of a call or a preview shown on one line. */
const lineLimit = 300;

export type PlainOptions = {
  /** Where stderr is a terminal on which a line can be drawn again. */
  spinner?: Spinner | undefined;
  /** One of many turns: what is the same for all of them (model, project, trace) is told elsewhere. */
  inChat?: boolean | undefined;
};

/** For one turn, or one behind the other. */
export function plain(
  out: Output,
  err: Output,
  paint: Paint,
  { spinner, inChat = false }: PlainOptions = {},
): (event: Event) => void {
  const say = (line: string): void => {
    spinner?.clear();
    err.write(`${line}\n`);
  };
  const running = watchCommand(say, paint, spinner);
  let thinking = "";
  let turn = begun({});

  /** Progress comes in pieces; it is shown in whole lines. */
  function flushThinking(): void {
    for (const line of thinking.split("\n").filter((text) => text.trim() !== "")) say(paint.dim(escapeLine(line)));
    thinking = "";
  }

  return (event) => {
    if (event.type !== "delta") flushThinking();
    switch (event.type) {
      case "start":
        turn = begun(event);
        return inChat ? undefined : say(paint.dim(`${escapeLine(event.model)} in ${escapeLine(event.root)}`));
      case "attachment":
        if (event.ok) return say(paint.dim(`attached ${short(event.preview)} (${event.chars} chars)`));
        return say(paint.bad(`not attached: @${short(event.name)}: ${short(event.preview)}`));
      case "steered":
        return say(paint.dim(`you: ${short(event.text)}`));
      case "delta":
        if (event.delta.type === "progress") thinking += event.delta.text;
        if (event.delta.type === "discard") thinking = "";
        if (event.delta.type === "notice") say(paint.dim(escapeLine(event.delta.text)));
        return undefined;
      case "message":
        if (event.message.role !== "assistant" || toolUsesOf(event.message).length === 0) return undefined;
        if (textOf(event.message).trim() !== "") say(escapeText(textOf(event.message).trim()));
        return undefined;
      case "step":
        turn.citations = []; // whatever was checked before belongs to an answer that is being corrected
        return undefined;
      case "compaction":
        return say(paint.dim(compactionLine(event)));
      case "tool_call":
        return say(`-> ${short(`${event.name}(${JSON.stringify(event.input)})`)}`);
      case "output":
        return running.add(event.text);
      case "tool_result":
        for (const { path } of event.landed ?? []) turn.changed.add(path);
        for (const line of resultLines(event, running.end(), paint)) say(line);
        return undefined;
      case "explored":
        for (const line of innerLines(event.event, paint)) say(line);
        return undefined;
      case "check":
        running.end();
        if (event.name === "verify" && isVerdict(event.result)) turn.verification = event.result;
        if (!event.result.pass) say(`   check ${event.name} failed: ${short(event.result.report)}`);
        else if (event.result.note !== undefined)
          say(paint.dim(`   ${verdictWord(event.result)}: ${short(event.result.note)}`));
        return undefined;
      case "citation":
        turn.citations.push(event);
        return undefined;
      case "notice":
        return say(paint.dim(escapeLine(event.text)));
      case "stop":
        running.end();
        if (event.answer !== "") out.write(`${escapeText(event.answer.trimEnd())}\n`);
        for (const line of citationLines(turn.citations, paint)) say(line);
        if (event.status !== "done") say(paint.bad(stopLine(event)));
        return say(paint.dim(inChat ? totalsIn(turn, event, tokensText) : alone(turn, event)));
      case "decision": // a refusal is seen in the result, and what a person approved they have seen
        if (event.action.kind === "run" && event.verdict.allowed) return running.begin(event.action);
        if (event.action.kind !== "write" || !event.verdict.allowed || event.verdict.by === "person") return undefined;
        for (const line of landingLines(event.action.changes, paint)) say(line);
        return undefined;
      case "rejected":
        return say(paint.dim(`left out from now on, as the service refuses it: ${escapeLine(event.what)}`));
      case "interrupted": // and this in the stop
      case "lines":
        return undefined;
    }
  };
}

function begun({ trace, earlier }: { trace?: string | undefined; earlier?: Spent | undefined }): Turn {
  return { citations: [], changed: new Set(), trace, earlier, verification: undefined };
}

/** A turn that is all there is: whoever asked cannot ask for more, so every counter is told, and where to look. */
function alone(turn: Turn, stop: Stop): string {
  const where = turn.trace === undefined ? "no trace" : `trace ${escapeLine(turn.trace)}`;
  return `${totalsIn(turn, stop, countedText)}, ${where}`;
}

function totalsIn({ changed, earlier, verification }: Turn, stop: Stop, tokens: TurnTotals["tokens"]): string {
  return totalsLine(stop, { changed: changed.size, earlier, verification, tokens });
}

/** What there is to tell of a call's end; no tool is known here, so its result says. */
function resultLines(event: ToolResult, seconds: number | undefined, paint: Paint): string[] {
  const { landed, details, preview, ok, chars } = event;
  if (landed !== undefined) return landed.map((each) => `   ${landedText(each)}`);
  const todos = todoLines(todosIn(details) ?? [], paint);
  if (todos.length > 0) return todos;
  const ended = endLines(details, preview, seconds, paint);
  if (ended.length > 0) return ended;
  return [ok ? paint.dim(`   ok ${short(preview)} (${chars} chars)`) : paint.bad(`   ERROR ${short(preview)}`)];
}

/** What an agent inside a call does, below that call. */
function innerLines(event: Inner, paint: Paint): string[] {
  switch (event.type) {
    case "tool_call":
      return [paint.dim(`   -> ${short(`${event.name}(${JSON.stringify(event.input)})`)}`)];
    case "tool_result":
      return [
        event.ok ? paint.dim(`      ok ${short(event.preview)}`) : paint.bad(`      ERROR ${short(event.preview)}`),
      ];
    case "notice":
      return [paint.dim(`   ${escapeLine(event.text)}`)];
    default: // what it was asked, and what that cost
      return [];
  }
}

/** The first line, cut where it is too long; what is left out is counted, never silently dropped. */
function short(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  const shown = line.slice(0, lineLimit);
  const rest = text.length - shown.length;
  return escapeLine(shown) + (rest > 0 ? `… (${rest} more characters)` : "");
}

/** What lands without a question. */
function landingLines(changes: Parameters<typeof changeLines>[0], paint: Paint): string[] {
  const { lines, hidden } = changeLines(changes, paint, usualLimits);
  return hidden === 0 ? [...lines] : [...lines, `   … (+${plural(hidden, "more line")})`];
}
