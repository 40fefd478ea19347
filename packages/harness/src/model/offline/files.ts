/** Answers about texts and files: where a text stands, what a folder or file holds, what a file says of something. */

import type { Call, Conversation, Step } from "./conversation.ts";
import type { Language } from "./language.ts";
import type { Kind, Place } from "./places.ts";
import { lineAt, outlineOf, regionOf } from "./region.ts";
import { ownerOf } from "./scopes.ts";
import { parseEntries, parseHits, parseLines, reasonIn } from "./tool-text.ts";
import { cite, count, lineText, paragraphs, section } from "./writing.ts";

const max = { hits: 100, entries: 200, outline: 150, lines: 20, part: 200, linesAtOnce: 2000, steps: 8 } as const;

/** Where a text stands, letter for letter; if nowhere, in any case of letters. */
export function textStep(text: string, under: string | undefined, known: Conversation): Step {
  const path = under === undefined ? {} : { path: under };
  const exact: Call = { name: "search", input: { pattern: text, ...path, literal: true, limit: max.hits } };
  const found = known.answered(exact);
  if (found === undefined) return { calls: [exact] };
  if (found.isError) return { answer: `I could not search for that text: ${reasonIn(found.text)}` };
  const strict = parseHits(found.text);
  if (strict.hits.length > 0) return { answer: textAnswer(strict, `The text "${lineText(text)}" stands`) };

  const loose: Call = { name: "search", input: { ...exact.input, ignore_case: true } };
  const again = known.answered(loose);
  if (again === undefined) return { calls: [loose] };
  const relaxed = parseHits(again.text);
  if (again.isError || relaxed.hits.length === 0) {
    return { answer: paragraphs(`No line I may search says "${lineText(text)}".`, strict.notes.join(" ")) };
  }
  return { answer: textAnswer(relaxed, `Only with other capitals, the text "${lineText(text)}" stands`) };
}

function textAnswer({ hits, notes }: ReturnType<typeof parseHits>, start: string): string {
  const [first] = hits;
  const where = first === undefined ? "" : cite(first.path, first.line);
  const lines = hits.map((hit) => `${cite(hit.path, hit.line)}: ${lineText(hit.text)}`);
  return hits.length === 1
    ? paragraphs(`${start} at ${where}: ${lineText(first?.text ?? "")}`, notes.join(" "))
    : paragraphs(
        `${start} on ${count(hits.length, "line")}, first at ${where}.`,
        section("Lines", lines),
        notes.join(" "),
      );
}

/** What a folder or a file holds. A bare name that is not there is looked for in the folders below. */
export function contentsStep(place: Place, known: Conversation): Step {
  const { path } = place;
  const list: Call = { name: "list_files", input: { path: path.replace(/(?<=.)\/+$/, ""), depth: 1 } };
  const read = readingOf(place);
  const isFolder = path.endsWith("/") || !/\.\w+$|^[A-Z]\w+$/.test(path.slice(path.lastIndexOf("/") + 1));
  const attempts = (isFolder && place.lines === undefined ? [list, read] : [read, list]).filter(({ name }) =>
    known.tools.has(name),
  );
  for (const call of attempts) {
    const answer = known.answered(call);
    if (answer === undefined) return { calls: [call] };
    if (!answer.isError)
      return call.name === "read_file" ? readStep(place, known) : { answer: folderAnswer(path, answer.text) };
  }
  const reason = attempts[0] && known.answered(attempts[0])?.text;
  const refused = `I could not open ${path}: ${reasonIn(reason ?? "there is no tool here that reads files.")}`;
  if (path.includes("/") || path.startsWith(".") || !known.tools.has("list_files")) return { answer: refused };

  const find: Call = { name: "list_files", input: { path: ".", glob: `**/${path}` } };
  const found = known.answered(find);
  if (found === undefined) return { calls: [find] };
  const files = found.isError ? [] : parseEntries(found.text).entries.filter((entry) => !/[/@|]$/.test(entry));
  const [only] = files;
  if (only === undefined) return { answer: refused };
  if (files.length === 1) return readStep({ ...place, path: only }, known);
  return {
    answer: paragraphs(
      `There are ${files.length} files named ${path}: ask about one of them.`,
      section("Files", files),
    ),
  };
}

/** The files of one kind in a folder and those below it. */
export function kindStep({ path }: Place, { word, endings }: Kind, known: Conversation): Step {
  const glob = endings.length === 1 ? `**/*.${endings.join("")}` : `**/*.{${endings.join(",")}}`;
  const list: Call = { name: "list_files", input: { path: path.replace(/(?<=.)\/+$/, ""), glob } };
  const found = known.answered(list);
  if (found === undefined) return { calls: [list] };
  if (found.isError) return { answer: `I could not list ${path}: ${reasonIn(found.text)}` };
  const { entries, notes } = parseEntries(found.text);
  const files = entries.filter((entry) => !entry.endsWith("/"));
  const where = path === "." ? "The project" : path;
  return {
    answer: paragraphs(
      `${where} holds ${count(files.length, `${word} file`)}, folders below included.`,
      section("Files", files.slice(0, max.entries)),
      notes.join(" "),
    ),
  };
}

/** The call that shows the part of a file, or its start. */
function readingOf({ path, lines }: Place): Call {
  const { from, to } = lines ?? { from: 1, to: max.linesAtOnce };
  const limit = lines === undefined ? max.linesAtOnce : Math.max(1, Math.min(to - from + 1, max.part));
  return { name: "read_file", input: { path, offset: Math.max(1, from), limit } };
}

function readStep(place: Place, known: Conversation): Step {
  return place.lines === undefined ? outlineStep(place.path, known) : partStep(place, known);
}

/** The lines of a part of a file. */
function partStep(place: Place, known: Conversation): Step {
  const call = readingOf(place);
  const answer = known.answered(call);
  if (answer === undefined) return { calls: [call] };
  if (answer.isError) return { answer: `I could not read ${place.path}: ${reasonIn(answer.text)}` };
  const { first, lines, total } = parseLines(answer.text);
  const shown = lines.map((text, i) => `${cite(place.path, first + i)}: ${lineText(text)}`);
  const last = first + lines.length - 1;
  const which = lines.length === 1 ? `this is line ${first}` : `these are lines ${first} to ${last}`;
  return {
    answer: paragraphs(`${place.path} has ${count(total, "line")}; ${which}.`, section("Lines", shown)),
  };
}

function folderAnswer(path: string, text: string): string {
  const { entries, notes } = parseEntries(text);
  if (entries.length === 0) return `${path} is an empty folder, as far as I may see.`;
  const folders = entries.filter((entry) => entry.endsWith("/")).length;
  const holds = `${path} holds ${count(folders, "folder")} and ${count(entries.length - folders, "file")}.`;
  return paragraphs(holds, section("Entries", entries.slice(0, max.entries)), notes.join(" "));
}

/** Reads a file through, then says what it defines. */
function outlineStep(path: string, known: Conversation): Step {
  const lines: string[] = [];
  let total = 0;
  for (let next: number | undefined = 1; next === lines.length + 1;) {
    const call: Call = { name: "read_file", input: { path, offset: next, limit: max.linesAtOnce } };
    const answer = known.answered(call);
    if (answer === undefined && known.steps < max.steps) return { calls: [call] };
    if (answer === undefined) break;
    if (answer.isError) return { answer: `I could not read ${path}: ${reasonIn(answer.text)}` };
    const part = parseLines(answer.text);
    lines.push(...part.lines);
    ({ total, next } = part);
  }
  return { answer: outlineAnswer(path, lines, total, known.languageOf(path)) };
}

function outlineAnswer(path: string, lines: readonly string[], total: number, language: Language | undefined): string {
  const size = `${path} has ${count(total, "line")}`;
  if (lines.length === 0) return `${path} is empty.`;
  if (language === undefined) {
    const start = lines.slice(0, max.lines).map((line, i) => `${cite(path, i + 1)}: ${lineText(line)}`);
    return paragraphs(`${size}; it is of a type I do not read as code.`, section("It begins", start));
  }
  const region = regionOf(lines, language, { firstLine: 1 });
  const outline = outlineOf(region).map((construct) => {
    const line = lineAt(region, construct.nameAt);
    const owner = ownerOf(region.scopes ?? [], construct);
    const kind = `${construct.kind}${owner === "" ? "" : ` of ${owner}`}`;
    return `${cite(path, line)} (${kind}): ${lineText(lines[line - 1] ?? "")}`;
  });
  const left = outline.length - max.outline;
  return paragraphs(
    `${size} of ${language.name} and defines ${count(outline.length, "name")} outside of functions.`,
    section("Definitions", outline.slice(0, max.outline)),
    left > 0 ? `${left} more are not listed.` : "",
    lines.length < total ? `Read up to line ${lines.length}.` : "",
  );
}

/** What a file says of something: its lines with the words asked for, or why it cannot be read. */
export function fileStep(path: string, words: readonly string[], known: Conversation): Step {
  const call: Call = { name: "read_file", input: { path, offset: 1, limit: max.linesAtOnce } };
  const answer = known.answered(call);
  if (answer === undefined) return { calls: [call] };
  if (answer.isError)
    return { answer: `I could not read ${path}, so I cannot say. The tool's reason: ${reasonIn(answer.text)}` };
  const { lines, total } = parseLines(answer.text);
  const matching = lines
    .map((text, i) => ({ text, line: i + 1, score: words.filter((word) => text.toLowerCase().includes(word)).length }))
    .filter(({ score }) => score > 0);
  const best = Math.max(0, ...matching.map(({ score }) => score));
  const shown = matching.filter(({ score }) => score === best).slice(0, max.lines);
  const [first] = shown;
  const limits = lines.length < total ? `Read up to line ${lines.length} of ${total}.` : "";
  if (first === undefined) return { answer: paragraphs(`${path} does not mention ${words.join(" or ")}.`, limits) };
  const found = shown.map(({ line, text }) => `${cite(path, line)}: ${lineText(text)}`);
  return {
    answer: paragraphs(
      `${path} mentions ${words.join(", ")} at ${cite(path, first.line)}; I can only show the lines, not judge them.`,
      section("Lines", found),
      limits,
    ),
  };
}
