/**
 * A run for a person at a plain terminal or a log: progress, doubts and totals on stderr as they happen, and the
 * answer, once and final, on stdout. Nothing else ever goes to stdout, so it can be piped.
 */

import { textOf, todosIn, toolUsesOf, totalTokens, type Event, type Inner, type Spent } from "@croft/harness";
import { changesShown, landedShown } from "./changes.ts";
import { countedText, tokensText } from "./cost.ts";
import { escapeLine, escapeText } from "./escape.ts";
import { grouped } from "./numbers.ts";
import type { Output } from "./output.ts";
import type { Paint } from "./paint.ts";
import { plural } from "./plural.ts";
import { reasons } from "./reasons.ts";
import { endLines, watchCommand } from "./running.ts";
import type { Spinner } from "./spinner.ts";
import { todoLines } from "./todos.ts";

type Citation = Extract<Event, { type: "citation" }>;
type Compaction = Extract<Event, { type: "compaction" }>;
type Stop = Extract<Event, { type: "stop" }>;
type Verification = Extract<Event, { type: "check" }>["result"];

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
  let citations: Citation[] = [];
  let trace: string | undefined;
  let earlier: Spent | undefined;
  let verification: Verification | undefined;
  const changed = new Set<string>();

  /** Progress comes in pieces; it is shown in whole lines. */
  function flushThinking(): void {
    for (const line of thinking.split("\n").filter((text) => text.trim() !== "")) say(paint.dim(escapeLine(line)));
    thinking = "";
  }

  return (event) => {
    if (event.type !== "delta") flushThinking();
    switch (event.type) {
      case "start":
        ({ trace, earlier } = event);
        citations = [];
        verification = undefined;
        changed.clear();
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
        citations = []; // whatever was checked before belongs to an answer that is being corrected
        return undefined;
      case "compaction":
        return say(paint.dim(compactionLine(event)));
      case "tool_call":
        return say(`-> ${short(`${event.name}(${JSON.stringify(event.input)})`)}`);
      case "output":
        return running.add(event.text);
      case "tool_result": {
        const seconds = running.end();
        for (const landed of event.landed ?? []) {
          changed.add(landed.path);
          say(`   ${landedShown(landed)}`);
        }
        if (event.landed !== undefined) return undefined;
        const todos = todosIn(event.details) ?? [];
        for (const line of todoLines(todos, paint)) say(line);
        if (todos.length > 0) return undefined;
        const ended = endLines(event.details, event.preview, seconds, paint);
        for (const line of ended) say(line);
        if (ended.length > 0) return undefined;
        if (event.ok) return say(paint.dim(`   ok ${short(event.preview)} (${event.chars} chars)`));
        return say(paint.bad(`   ERROR ${short(event.preview)}`));
      }
      case "explored":
        for (const line of innerLines(event.event, paint)) say(line);
        return undefined;
      case "check":
        running.end();
        if (event.name === "verify" && says(event.result)) verification = event.result;
        if (!event.result.pass) say(`   check ${event.name} failed: ${short(event.result.report)}`);
        else if (event.result.note !== undefined)
          say(paint.dim(`   ${verified(event.result)}: ${short(event.result.note)}`));
        return undefined;
      case "citation":
        citations.push(event);
        return undefined;
      case "notice":
        return say(paint.dim(escapeLine(event.text)));
      case "stop":
        running.end();
        if (event.answer !== "") out.write(`${escapeText(event.answer.trimEnd())}\n`);
        for (const line of doubts(citations, paint)) say(line);
        if (event.status !== "done") say(paint.bad(whyStopped(event)));
        return say(paint.dim(totals(event, changed.size, { ...(inChat ? {} : { trace }), earlier, verification })));
      case "decision": // a refusal is seen in the result, and what a person approved they have seen
        if (event.action.kind === "run" && event.verdict.allowed) return running.begin(event.action);
        if (event.action.kind !== "write" || !event.verdict.allowed || event.verdict.by === "person") return undefined;
        for (const line of changesLines(event.action.changes, paint)) say(line);
        return undefined;
      case "rejected":
        return say(paint.dim(`left out from now on, as the service refuses it: ${escapeLine(event.what)}`));
      case "interrupted": // and this in the stop
      case "lines":
        return undefined;
    }
  };
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

/** What became of a request for notes. */
export function compactionLine({ replaced, usage }: Compaction): string {
  const tokens = `${grouped(totalTokens(usage))} tokens`;
  if (replaced === undefined) return `the conversation is long: notes were asked for, and there are none (${tokens})`;
  return `the conversation is long: ${plural(replaced.upTo, "message")} gave way to the model's notes (${tokens})`;
}

/** Whether anything was verified, or should have been. */
export function says(result: Verification): boolean {
  return !result.pass || result.note !== undefined;
}

/** The first line, cut where it is too long; what is left out is counted, never silently dropped. */
function short(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  const shown = line.slice(0, lineLimit);
  const rest = text.length - shown.length;
  return escapeLine(shown) + (rest > 0 ? `… (${rest} more characters)` : "");
}

/** The citations that are not what they should be, and how many are. */
export function doubts(citations: readonly Citation[], paint: Paint): string[] {
  if (citations.length === 0) return [];
  const bad = citations.filter(({ state }) => state !== "verified");
  return [
    ...bad.map(({ ref, state, reason }) => {
      const word = state === "broken" ? "BROKEN" : state;
      return paint.bad(`${word} ${escapeLine(ref)}${reason === undefined ? "" : `: ${escapeLine(reason)}`}`);
    }),
    paint.dim(`${citations.length - bad.length} of ${plural(citations.length, "citation")} verified`),
  ];
}

/** In one word. */
export function verified(result: Verification): string {
  if (!result.pass) return "check failed";
  return result.unverified === true ? "unverified" : "verified";
}

/** Why a turn ended that was not done, and the next step. */
export function whyStopped({ status, failure }: Stop): string {
  if (failure === undefined) return `croft: ${reasons[status]}`;
  const remedy = failure.remedy === undefined ? "" : ` ${failure.remedy}`;
  return `croft: ${escapeLine(`${failure.message}${remedy} (${failure.code})`)}`;
}

/** What lands without a question. */
function changesLines(changes: Parameters<typeof changesShown>[0], paint: Paint): string[] {
  const { lines, hidden } = changesShown(changes, paint, false);
  return hidden === 0 ? [...lines] : [...lines, `   … (+${plural(hidden, "more line")})`];
}

/** In a chat, which tells counters and the trace when it is asked, `trace` is left out. */
export type Around = { trace?: string | undefined; earlier: Spent | undefined; verification: Verification | undefined };

/** How a turn ended, and what it took. */
export function totals({ status, steps, usage, dollars }: Stop, changed: number, around: Around): string {
  const { trace, earlier, verification } = around;
  const before = earlier?.dollars === undefined || dollars === undefined ? undefined : earlier.dollars + dollars;
  const whole = before === undefined ? "" : ` ($${before.toFixed(before < 1 ? 4 : 2)} in this session)`;
  const cost = dollars === undefined ? "cost unknown" : `$${dollars.toFixed(dollars < 1 ? 4 : 2)}${whole}`;
  const files = changed === 0 ? "" : `${plural(changed, "file")} changed, `;
  const checked = verification === undefined ? "" : `${verified(verification)}, `;
  const ended = `${status}: ${plural(steps, "step")}, ${files}${checked}`;
  if (!("trace" in around)) return `${ended}${tokensText(usage)}, ${cost}`;
  const where = trace === undefined ? "no trace" : `trace ${escapeLine(trace)}`;
  return `${ended}${countedText(usage)}, ${cost}, ${where}`;
}
