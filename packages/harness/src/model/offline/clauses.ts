/** Parts of a question that the rules do not follow, so that an answer can say what it leaves out. */

import { placesIn } from "./places.ts";
import { type Question, wantsOf, wordsBeyond } from "./question.ts";

/** Names that one answer tells of. */
export const namesMost = 3;

/** Where one clause ends and the next one asks something. */
const joint =
  /\s*[?.!;](?:\s+|$)|,?\s+(?:and|but|or)\s+(?=(?:also\s+)?(?:who|what|where|which|when|why|how|explain|describe|tell|show|list)\b)|\s+\/\s+/i;
const asks = /^(?:(?:and|but|also),?\s+)*(?:who|what|where|which|when|why|how|explain|describe|tell|show|list)\b/i;
/** Relations that are no calls, uses or definitions. */
const beyondLookup =
  /\b(?:creat\w+|implement(?:s|ed by|ing)|extend(?:s|ed|ing)?|inherit\w*|overrid\w+|subclass\w*|modif\w+|mutat\w+)\b/i;

/** The parts of a question, as they were written, that the answer to it passes over. */
export function passedOver(text: string, question: Question): string[] {
  if (question.kind === "other") return [];
  const { more, rest, except } = placesIn(text);
  const clauses = rest
    .replace(/"[^"]*"/g, '""')
    .split(joint)
    .map((clause) => clause?.trim() ?? "")
    .filter((clause) => clause !== "");
  const parts = clauses.flatMap((clause, i) => unfollowed(clause, i === 0, question));
  const kind =
    question.kind === "contents" && question.files?.endings.length === 0 ? [`${question.files.word} files`] : [];
  const names = question.kind === "symbol" ? question.names.slice(namesMost).map(({ name }) => name) : [];
  return [...kind, ...names, ...parts, ...more, ...except];
}

function unfollowed(clause: string, first: boolean, question: Question): string[] {
  if (question.kind !== "symbol") return !first && asks.test(clause) ? [clause] : [];
  const names = new Set(question.names.map(({ name }) => name));
  const words = clause.replace(/[\p{L}\p{N}_$]+/gu, (word) => (names.has(word) ? "it" : word));
  const relation = beyondLookup.exec(words)?.[0];
  if (wantsOf(words) !== undefined) {
    const beyond = question.names.length === 1 ? wordsBeyond(clause, question.names[0]?.name ?? "") : undefined;
    return [relation, beyond].filter((part) => part !== undefined);
  }
  return (asks.test(clause) && !first) || relation !== undefined ? [clause] : [];
}
