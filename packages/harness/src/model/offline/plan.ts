/** From a question and what is known to the next step. */

import type { Call, Conversation, Step } from "./conversation.ts";
import { contentsStep, fileStep, textStep } from "./files.ts";
import { gather } from "./findings.ts";
import { type Name, parseQuestion, type Question, type Wants } from "./question.ts";
import { symbolAnswer } from "./symbol.ts";
import { needsModel, paragraphs } from "./writing.ts";

/** The next calls, or the answer: depends on the conversation alone. */
export function nextStep(known: Conversation): Step {
  const question = parseQuestion(known.question, known.before);
  const missing = toolsFor(question).find((tool) => !known.tools.has(tool));
  if (missing !== undefined)
    return { answer: `I cannot answer that here: it takes the tool ${missing}, which I was not given.` };
  switch (question.kind) {
    case "symbol":
      return symbolStep(question.names, question.wants, question.under, known);
    case "text":
      return textStep(question.text, question.under, known);
    case "contents":
      return contentsStep(question.path, known);
    case "file":
      return fileStep(question.path, question.words, known);
    default:
      return otherStep(question.names.slice(0, 2), known);
  }
}

function toolsFor(question: Question): string[] {
  if (question.kind === "symbol" || question.kind === "text") return ["search"];
  return question.kind === "file" ? ["read_file"] : [];
}

function symbolStep(names: readonly Name[], wants: Wants, under: string | undefined, known: Conversation): Step {
  const gathered = names.map((name) => gather({ name, wants, under }, known));
  const calls = gathered.flatMap((found) => ("calls" in found ? found.calls : []));
  if (calls.length > 0) return { calls: unique(calls) };
  const answers = gathered.flatMap((found) => ("calls" in found ? [] : [symbolAnswer(found, wants)]));
  return { answer: paragraphs(...answers) };
}

/** Not a lookup: says so, and still tells where the names in the question stand. */
function otherStep(names: readonly Name[], known: Conversation): Step {
  const start = `I cannot answer that. ${needsModel}`;
  if (names.length === 0 || !known.tools.has("search")) return { answer: start };
  const help = symbolStep(names, "both", undefined, known);
  return "calls" in help ? help : { answer: paragraphs(start, "What I can say:", help.answer) };
}

function unique(calls: readonly Call[]): Call[] {
  return [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()];
}
