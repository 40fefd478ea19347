/** From a question and what is known to the next step. */

import { namesMost, passedOver } from "./clauses.ts";
import type { Call, Conversation, Step } from "./conversation.ts";
import { contentsStep, fileStep, kindStep, textStep } from "./files.ts";
import { gather } from "./findings.ts";
import { namedStep } from "./named.ts";
import type { Place } from "./places.ts";
import { type Name, parseQuestion, type Question, type Wants } from "./question.ts";
import { symbolAnswer } from "./symbol.ts";
import { lineText, needsModel, paragraphs } from "./writing.ts";

/** The next calls, or the answer: depends on the conversation alone. */
export function nextStep(known: Conversation): Step {
  const question = parseQuestion(known.question, known.before);
  const missing = toolsFor(question).find((tool) => !known.tools.has(tool));
  if (missing !== undefined)
    return { answer: `I cannot answer that here: it takes the tool ${missing}, which I was not given.` };
  const step = stepFor(question, known);
  return "calls" in step ? step : { answer: paragraphs(step.answer, leftOut(passedOver(known.question, question))) };
}

function stepFor(question: Question, known: Conversation): Step {
  switch (question.kind) {
    case "symbol":
      return symbolStep(question.names.slice(0, namesMost), question.wants, question.under, known);
    case "text":
      return textStep(question.text, question.under, known);
    case "contents":
      return question.files === undefined || question.files.endings.length === 0
        ? contentsStep(question.place, known)
        : kindStep(question.place, question.files, known);
    case "file":
      return fileStep(question.path, question.words, known);
    case "named":
      return calledStep(question.called, question.names, known);
    default:
      return otherStep(question.names.slice(0, 2), question.place, known);
  }
}

function toolsFor(question: Question): string[] {
  if (question.kind === "symbol" || question.kind === "text") return ["search"];
  if (question.kind === "named") return ["list_files"];
  return question.kind === "file" ? ["read_file"] : [];
}

/** A file or folder of that name; where there is none, perhaps a name in the code. */
function calledStep(called: string, names: readonly Name[], known: Conversation): Step {
  const none = `No file or folder I may list is named ${JSON.stringify(called)}.`;
  const found = namedStep(called, known);
  if (found !== undefined) return found;
  if (names.length === 0 || !known.tools.has("search")) return { answer: none };
  const inCode = symbolStep(names, "definition", undefined, known);
  return "calls" in inCode ? inCode : { answer: paragraphs(none, inCode.answer) };
}

function symbolStep(names: readonly Name[], wants: Wants, under: string | undefined, known: Conversation): Step {
  const gathered = names.map((name) => gather({ name, wants, under }, known));
  const calls = gathered.flatMap((found) => ("calls" in found ? found.calls : []));
  if (calls.length > 0) return { calls: unique(calls) };
  const answers = gathered.flatMap((found) => ("calls" in found ? [] : [symbolAnswer(found, wants)]));
  return { answer: paragraphs(...answers) };
}

/** Not a lookup: says so, and still tells where the names stand, or what the file holds that is named. */
function otherStep(names: readonly Name[], place: Place | undefined, known: Conversation): Step {
  const start = `I cannot answer that. ${needsModel}`;
  const help = helpFor(names, place, known);
  if (help === undefined) return { answer: start };
  return "calls" in help ? help : { answer: paragraphs(start, "What I can say:", help.answer) };
}

function helpFor(names: readonly Name[], place: Place | undefined, known: Conversation): Step | undefined {
  if (names.length > 0) return known.tools.has("search") ? symbolStep(names, "both", undefined, known) : undefined;
  return place === undefined || !known.tools.has("read_file") ? undefined : contentsStep(place, known);
}

/** So that half an answer does not pass for a whole one. */
function leftOut(parts: readonly string[]): string {
  const quoted = parts.map((part) => `"${lineText(part)}"`).join(", ");
  return parts.length === 0 ? "" : `I left out this part of the question: ${quoted}.`;
}

function unique(calls: readonly Call[]): Call[] {
  return [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()];
}
