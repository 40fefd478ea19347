/** A session as Markdown, to be read or sent: what was said and done, turn by turn, event by event. */

import { isFromHarness, textOf, type Event, type Message } from "@croft/harness";
import { code, fenced } from "../chat/markdown.ts";
import { escapeText } from "../ui/escape.ts";
import { grouped, money } from "../ui/numbers.ts";
import { verdictWord } from "../ui/outcome.ts";
import { plural } from "../ui/plural.ts";
import { commandIn } from "./call-row.ts";
import { contained, quoted } from "./foreign-markdown.ts";
import type { TraceLine } from "./read.ts";
import { line } from "./say.ts";

type Of<Type extends Event["type"]> = Extract<Event, { type: Type }>;

/** Characters of a report, and of what a person said: a transcript tells what was done, the trace holds all of it. */
const shown = { report: 2_000, said: 20_000 };

/**
 * To be called with the lines of a trace in order: the Markdown that each comes to, empty for what is not shown. Text of
 * others can neither end the block it stands in nor swallow what follows.
 */
export function createTranscript(): (line: TraceLine) => string {
  let turn = 0;
  /** Calls that run: a command outside of any is the inside of a check, which says itself what it ran. */
  const calls = new Set<string>();
  const blocks = (...parts: readonly string[]): string => parts.map((part) => `${part}\n\n`).join("");

  return ({ line: number, event }) => {
    if (event === undefined) return blocks(`*Line ${number} of the trace cannot be read.*`);
    switch (event.type) {
      case "start":
        turn += 1;
        calls.clear();
        return blocks(...(turn === 1 ? headOf(event) : []), `## Turn ${turn}`);
      case "message":
        return blocks(...messageParts(event.message));
      case "decision":
        return blocks(...decisionParts(event, calls.size > 0));
      case "tool_call":
        calls.add(event.id);
        return blocks(`**${plainly(event.name)}** ${code(line(JSON.stringify(event.input) ?? ""))}`);
      case "tool_result":
        calls.delete(event.id);
        return blocks(
          `→ ${event.ok ? "" : "failed: "}${code(line(event.preview))} (${grouped(event.chars)} characters)`,
        );
      case "check":
        return blocks(...checkParts(event));
      case "citation":
        return event.state === "verified" ? "" : blocks(`Citation ${code(line(event.ref))}: ${plainly(event.state)}`);
      case "compaction":
        return event.replaced === undefined
          ? ""
          : blocks("*What was said so far gave way to notes:*", quoted(event.notes));
      case "stop":
        return blocks(endOf(event));
      default:
        return "";
    }
  };
}

function headOf({ task, session, root, model }: Of<"start">): string[] {
  return [
    `# ${plainly(task.split("\n", 1)[0] ?? "")}`,
    `Session ${code(line(session))} in ${code(line(root))}, with ${code(line(model))}.`,
  ];
}

/** Results of tools are told where they come; what a provider says beside words, such as thinking, is left out. */
function messageParts(message: Message): string[] {
  if (message.role === "assistant") {
    const text = textOf(message).trim();
    return text === "" ? [] : ["**croft:**", contained(escapeText(text))];
  }
  return message.content.flatMap((block) => {
    if (block.type === "image") return [`*An image, ${plainly(block.mediaType)}.*`];
    if (block.type !== "text" || block.text.trim() === "") return [];
    const whose = isFromHarness(block.text) ? "*Told by the harness:*" : "**You:**";
    return [whose, quoted(cut(escapeText(block.text), shown.said))];
  });
}

function checkParts({ name, result }: Of<"check">): string[] {
  if (!result.pass) return [`Check ${plainly(name)} failed:`, fenced(cut(escapeText(result.report), shown.report))];
  return result.note === undefined ? [] : [`*${verdictWord(result)}: ${plainly(result.note)}*`];
}

/** Diffs, commands of calls, and what was refused: that ordinary reading is allowed is no news. */
function decisionParts({ action, verdict }: Of<"decision">, inCall: boolean): string[] {
  const refused = `Refused by a ${verdict.by}${verdict.note === undefined ? "" : `: ${plainly(verdict.note)}`}`;
  const end = verdict.allowed ? [] : [refused];
  if (action.kind === "write") {
    const diffs = action.changes.map(({ diff }) => escapeText(diff)).join("");
    return [...(diffs === "" ? [] : [fenced(diffs, "diff")]), ...end];
  }
  const command = inCall ? commandIn(action) : undefined;
  return [...(command === undefined ? [] : [fenced(`$ ${escapeText(command)}`, "console")]), ...end];
}

function endOf({ status, steps, dollars, failure }: Of<"stop">): string {
  const why = failure === undefined ? "" : ` ${plainly(failure.message)}`;
  return `*${plainly(status)}: ${plural(steps, "step")}, ${money(dollars)}.${why}*`;
}

/** One line that means no more than its letters. */
function plainly(text: string): string {
  return line(text).replaceAll(/[\\`*_[\]<>#|~]/g, String.raw`\$&`);
}

/** No half of a surrogate pair stands at its end. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, "")}… (${grouped(text.length - most)} more characters)`;
}
