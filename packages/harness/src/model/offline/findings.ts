/** Gathers, tool answer by tool answer, where a name stands and what it is there. */

import type { Call, Conversation } from "./conversation.ts";
import { escapeName } from "./language.ts";
import type { Name, Subject } from "./question.ts";
import {
  definingPatterns,
  lineAt,
  type Occurrence,
  occurrencesOf,
  type Region,
  regionOf,
  type Role,
  wholeName,
} from "./region.ts";
import { ownerOf } from "./scopes.ts";
import { type FileHits, filesOf, filesToRead, lastLineOf, readThrough } from "./sources.ts";
import { type Hit, parseHits } from "./tool-text.ts";

export type Finding = {
  path: string;
  line: number;
  role: Role;
  /** function, method, class…; empty for what defines nothing. */
  kind: string;
  /** The type it is a member of, or "". */
  owner: string;
  /** The function around it, with its own line; undefined outside of any, or where it is not known. */
  inside: { label: string; line: number } | undefined;
  text: string;
};

export type Findings = {
  name: Name;
  findings: readonly Finding[];
  /** What the reader must know of their limits, one sentence each. */
  notes: readonly string[];
  /** Set where the search itself failed: the tool's words. */
  failure: string | undefined;
  /** Files with hits of which nobody has told the language. */
  unread: ReadonlySet<string>;
};

/** Hits asked for in one search, replies after which no more is asked, and characters a pattern may have. */
const max = { hits: 1000, steps: 9, patternLength: 3500 } as const;

/** The calls still needed to know where a name stands, or what they found. */
export function gather(wanted: Subject, known: Conversation): { calls: readonly Call[] } | Findings {
  const { name } = wanted;
  const search = searchFor(wanted);
  const found = known.answered(search);
  if (found === undefined) return { calls: [search] };
  if (found.isError) return { name, findings: [], notes: [], failure: found.text, unread: new Set() };
  const all = parseHits(found.text);

  // A list that was cut may lack the definition: look for that alone.
  const closer = all.stopped ? definitionSearches(wanted, all.hits, known) : [];
  const unasked = closer.filter((call) => known.answered(call) === undefined);
  if (unasked.length > 0 && known.steps < max.steps) return { calls: unasked };
  const more = closer.flatMap((call) => {
    const answer = known.answered(call);
    return answer === undefined || answer.isError ? [] : parseHits(answer.text).hits;
  });

  const files = filesOf([...all.hits, ...more], (path) => known.languageOf(path));
  const chosen = known.tools.has("read_file") ? filesToRead(files, wanted) : [];
  const reads = chosen.map((file) => readThrough(file, known));
  const calls = reads.flatMap((read) => read.calls);
  if (calls.length > 0 && known.steps < max.steps) return { calls };

  const texts = new Map(reads.map((read) => [read.path, read]));
  const findings = files.flatMap((file) => findingsIn(file, texts.get(file.path)?.lines ?? [], name.name));
  const notes = [...all.notes, ...notesOn(files, texts, wanted, known)];
  const unread = new Set(files.filter(({ language }) => language === undefined).map(({ path }) => path));
  return { name, findings, notes, failure: undefined, unread };
}

function searchFor({ name, under }: Subject): Call {
  const path = under === undefined ? {} : { path: under };
  return { name: "search", input: { pattern: wholeWord(name.name), ...path, limit: max.hits } };
}

/** The name as ripgrep is asked for it: a word boundary wherever the name ends in a letter of a word. */
function wholeWord(name: string): string {
  const edge = /[\p{L}\p{N}_]/u;
  return `${edge.test(name.at(0) ?? "") ? "\\b" : ""}${escapeName(name)}${edge.test(name.at(-1) ?? "") ? "\\b" : ""}`;
}

/** Searches for lines that could define the name, in the languages that the first hits were in. */
function definitionSearches({ name, under }: Subject, hits: readonly Hit[], known: Conversation): Call[] {
  const met = new Set(hits.map(({ path }) => known.languageOf(path)).filter((language) => language !== undefined));
  const path = under === undefined ? {} : { path: under };
  return [...met].slice(0, 3).flatMap((language) => {
    const glob = `**/*.{${language.extensions.join(",")}}`;
    // Two groups of one name are an error to ripgrep.
    const patterns = definingPatterns(language, escapeName(name.name)).map((each) => each.replace("(?<owner>", "("));
    return joined(patterns).map((pattern): Call => {
      return { name: "search", input: { pattern, ...path, glob, limit: max.hits } };
    });
  });
}

/** Alternatives in as few patterns as their length allows. */
function joined(patterns: readonly string[]): string[] {
  const found: string[] = [];
  for (const pattern of patterns) {
    const last = found.at(-1);
    if (last === undefined || last.length + pattern.length >= max.patternLength) found.push(pattern);
    else found[found.length - 1] = `${last}|${pattern}`;
  }
  return found;
}

/** What the name is on each line of a file where it stands: from the text read, else from the line alone. */
function findingsIn(file: FileHits, lines: readonly string[], name: string): Finding[] {
  const { path, language } = file;
  const region = language && lines.length > 0 ? regionOf(lines, language, { firstLine: 1 }) : undefined;
  const occurrences = Map.groupBy(region === undefined ? [] : occurrencesOf(region, name), ({ line }) => line);
  return file.hits.flatMap((hit): Finding[] => {
    const text = lines[hit.line - 1] ?? hit.text;
    const bare = { path, line: hit.line, role: "text", kind: "", owner: "", inside: undefined, text } as const;
    if (isMachineWritten(text)) return [bare];
    if (region !== undefined && hit.line <= lines.length) {
      return summary(occurrences.get(hit.line) ?? []).map((found) => findingOf(path, found, region, text));
    }
    if (language !== undefined) {
      const alone = regionOf([text], language, { firstLine: hit.line, alone: true });
      return summary(occurrencesOf(alone, name)).map((found) => findingOf(path, found, alone, text));
    }
    return wholeName(name, undefined).test(text) ? [bare] : [];
  });
}

/** A line no person wrote, such as those of minified code: what it says of a name is of no use. */
function isMachineWritten(line: string): boolean {
  return line.length > 1000 || (line.startsWith("…") && line.endsWith("…"));
}

/** Of one line at most two things are told: what it defines, and the most telling of the rest. */
function summary(onLine: readonly Occurrence[]): Occurrence[] {
  const told: readonly Role[] = ["call", "mention", "re-export", "import", "string", "comment"];
  const defining = onLine.find(({ construct }) => construct !== undefined);
  const rest = told.flatMap((role) => onLine.filter((found) => found.role === role));
  const first = rest[0];
  if (defining === undefined) return first === undefined ? [] : [first];
  return first?.role === "call" || first?.role === "mention" ? [defining, first] : [defining];
}

function findingOf(path: string, found: Occurrence, region: Region, text: string): Finding {
  const scopes = region.scopes ?? [];
  const { construct, inside } = found;
  const owner = construct === undefined ? "" : ownerOf(scopes, construct);
  const around = inside && (inside.name !== "" || inside.owner !== undefined) ? inside : undefined;
  return {
    path,
    line: found.line,
    role: found.role,
    kind: construct?.kind ?? "",
    owner,
    inside: around && {
      label: [around.name === "" ? "" : ownerOf(scopes, around), around.name || around.owner || ""]
        .filter((part) => part !== "")
        .join(region.language.member),
      line: lineAt(region, around.nameAt),
    },
    text,
  };
}

function notesOn(
  files: readonly FileHits[],
  texts: ReadonlyMap<string, { lines: readonly string[] }>,
  { wants }: Subject,
  known: Conversation,
): string[] {
  const code = files.filter(({ language }) => language !== undefined);
  const unread = code.filter((file) => (texts.get(file.path)?.lines.length ?? 0) < lastLineOf(file));
  const notes: string[] = [];
  if (!known.tools.has("read_file")) notes.push("No `read_file` tool here: every line was judged by itself.");
  else if (unread.length > 0 && wants !== "definition") {
    notes.push(
      `${unread.length} of ${code.length} files were not read to their last hit; those lines were judged by themselves.`,
    );
  }
  return notes;
}
