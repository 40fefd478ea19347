/**
 * The citation check: every `path:line` of an answer must exist. It also tells, without objecting, which lines the
 * model was never shown, and which hold none of the names their sentence puts in backticks.
 */

import type { CitationState, Event } from "../event.ts";
import type { CitedLines } from "../workspace/lines.ts";
import type { Check, Turn } from "./check.ts";
import { candidatesIn, type Candidate, type LineRange } from "./citation-syntax.ts";
import words from "./citations.md";
import { findFile, nearby, readingOnce, type Found } from "./find-file.ts";
import { namesMissingFrom } from "./names.ts";
import { mayBeService } from "./path-shape.ts";
import { readMarkdown, type Markdown, type Sentence } from "./prose.ts";

/** More broken citations than this are only counted: the report stays small. */
const reported = 40;
/** No honest answer cites so many places, or so many characters: each is read, and kept in the trace. */
const maxPlaces = 1_000;
const maxCharacters = 20_000_000;
const severity: readonly CitationState[] = ["verified", "mismatch", "unseen", "broken"];

type Finding = { ref: string; state: CitationState; reason?: string | undefined };
/** A finding, the place it is about, and the lines there with those around them. */
type Looked = { finding: Finding; place: string; around: readonly string[] };
/** What may still be looked up, and how many places were not. */
type Room = { places: number; characters: number; left: number };

/**
 * Emits one `citation` event for each place cited, in order of appearance. Fails once, with a report for the model, if
 * any is broken.
 */
export function citations(): Check {
  return {
    name: "citations",
    rounds: 1,
    async run(turn, emit, signal) {
      const room = { places: maxPlaces, characters: maxCharacters, left: 0 };
      const findings = await findingsOf(readingOnce(turn), room, signal);
      for (const finding of findings) emit(asEvent(finding));
      if (room.left > 0) emit(unchecked(room.left));
      const broken = findings.filter(({ state }) => state === "broken");
      return broken.length === 0 ? { pass: true } : { pass: false, report: reportOf(broken) };
    },
  };
}

/** One finding a place: cited twice, the worse one counts, for each sentence makes a claim of its own. */
async function findingsOf(turn: Turn, room: Room, signal: AbortSignal): Promise<Finding[]> {
  const markdown = readMarkdown(turn.answer);
  const byPlace = new Map<string, Finding>();
  for (const sentence of markdown.sentences) {
    const looked: Looked[] = [];
    for (const candidate of candidatesIn(markdown, sentence)) {
      signal.throwIfAborted();
      looked.push(...(await lookUp(candidate, turn, room)));
    }
    for (const { finding, place } of withMismatch(looked, markdown, sentence)) {
      const before = byPlace.get(place);
      if (before === undefined || worse(finding, before)) byPlace.set(place, finding);
    }
  }
  return [...byPlace.values()];
}

function worse(a: Finding, b: Finding): boolean {
  return severity.indexOf(a.state) > severity.indexOf(b.state);
}

async function lookUp(candidate: Candidate, turn: Turn, room: Room): Promise<Looked[]> {
  const looked: Looked[] = [];
  for (const range of candidate.ranges) {
    if (room.places <= 0 || room.characters <= 0) {
      room.left += 1;
      continue;
    }
    const found = await findFile(candidate.paths, range, turn);
    room.places -= 1;
    if ("file" in found) room.characters -= found.file.lines.reduce((sum, line) => sum + line.length, 0);
    const { finding, file } = judge(candidate, range, found, turn);
    if (finding === undefined) continue;
    looked.push({ finding, place: refTo(file?.path ?? finding.ref, range), around: file?.lines ?? [] });
  }
  return looked;
}

/** No finding: not a citation after all. */
function judge(
  candidate: Candidate,
  range: LineRange,
  found: Found,
  turn: Turn,
): { finding?: Finding; file?: CitedLines } {
  const ref = refTo(found.path, range);
  const broken = (reason: string): { finding: Finding } => ({ finding: { ref, state: "broken", reason } });
  if ("several" in found) {
    if (!candidate.certain) return {};
    if (found.several.length > 1) return broken(`it may mean ${listOf(found.several)}: write the whole path`);
    return broken("there is no such file to read");
  }
  const { path, file } = found;
  if (range.from === 0) return broken("lines are counted from 1");
  if (range.to < range.from) return broken("the range runs backwards");
  if (range.to > file.total) return mayBeService(path) ? {} : broken(`the file has only ${countOf(file.total)}`);
  const unseen = firstUnseen(file.path, range, turn);
  const reason = unseen === range.from ? "never shown to the model" : `line ${unseen} was never shown to the model`;
  return { file, finding: unseen === undefined ? { ref, state: "verified" } : { ref, state: "unseen", reason } };
}

function firstUnseen(path: string, { from, to }: LineRange, turn: Turn): number | undefined {
  for (let line = from; line <= to; line++) if (!turn.ledger.has(path, line)) return line;
  return undefined;
}

function withMismatch(looked: readonly Looked[], { text }: Markdown, sentence: Sentence): readonly Looked[] {
  if (looked.length === 0) return looked;
  const code = sentence.code.map(({ inside }) => text.slice(inside.start, inside.end).trim());
  const around = looked.flatMap((each) => each.around);
  const missing = namesMissingFrom(around, code);
  if (missing.length === 0) return looked;
  const reason = `${listOf(missing)} not within ${nearby} lines`;
  return looked.map((each) =>
    each.finding.state === "verified"
      ? { ...each, finding: { ref: each.finding.ref, state: "mismatch", reason } }
      : each,
  );
}

function asEvent({ ref, state, reason }: Finding): Event {
  return reason === undefined ? { type: "citation", ref, state } : { type: "citation", ref, state, reason };
}

function unchecked(left: number): Event {
  const text = `The answer cites more than is looked up: ${left} of its places were not checked.`;
  return { type: "notice", code: "citations_unchecked", text };
}

function reportOf(broken: readonly Finding[]): string {
  const lines = broken.slice(0, reported).map(({ ref, reason }) => `- ${ref}: ${reason}`);
  if (broken.length > reported) lines.push(`- and ${broken.length - reported} more`);
  return words.replace("{{broken}}", () => lines.join("\n")).trimEnd();
}

function refTo(path: string, { from, to }: LineRange): string {
  return from === to ? `${path}:${from}` : `${path}:${from}-${to}`;
}

function listOf(names: readonly string[]): string {
  return names.length > 4 ? `${names.slice(0, 4).join(", ")} and ${names.length - 4} more` : names.join(", ");
}

function countOf(lines: number): string {
  return lines === 1 ? "1 line" : `${lines} lines`;
}
