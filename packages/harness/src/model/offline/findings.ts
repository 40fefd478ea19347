/** Gathers, tool answer by tool answer, where a name stands and what it is there. */

import type { Call, Conversation } from "./conversation.ts";
import { escapeName, type Language, languageOf } from "./language.ts";
import { languages } from "./languages.ts";
import type { Name } from "./question.ts";
import {
  definingPatterns,
  lineAt,
  mayDefine,
  type Occurrence,
  occurrencesOf,
  type Region,
  regionOf,
  type Role,
  wholeName,
} from "./region.ts";
import { ownerOf } from "./scopes.ts";
import { type Hit, parseHits, parseLines } from "./tool-text.ts";

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
};

export type Wanted = { name: Name; wants: "definition" | "uses" | "both"; under: string | undefined };

/** How much is read for one name: a lookup costs little, whatever the name. */
const most = { hits: 1000, files: 40, lines: 16_000, linesAtOnce: 2000, steps: 9 } as const;
/** Lines read past the last hit in a file, so that its signature is whole. */
const margin = 40;

/** The calls still needed to know where a name stands, or what they found. */
export function gather(wanted: Wanted, known: Conversation): { calls: readonly Call[] } | Findings {
  const { name } = wanted;
  const search = searchFor(wanted);
  const found = known.answered(search);
  if (found === undefined) return { calls: [search] };
  if (found.isError) return { name, findings: [], notes: [], failure: found.text };
  const all = parseHits(found.text);

  // A list that was cut may lack the definition: look for that alone.
  const closer = all.stopped ? definitionSearches(wanted, all.hits) : [];
  const unasked = closer.filter((call) => known.answered(call) === undefined);
  if (unasked.length > 0 && known.steps < most.steps) return { calls: unasked };
  const more = closer.flatMap((call) => {
    const answer = known.answered(call);
    return answer === undefined || answer.isError ? [] : parseHits(answer.text).hits;
  });

  const files = filesOf([...all.hits, ...more]);
  const chosen = known.tools.has("read_file") ? filesToRead(files, wanted) : [];
  const reads = chosen.map((file) => readThrough(file, known));
  const calls = reads.flatMap((read) => read.calls);
  if (calls.length > 0 && known.steps < most.steps) return { calls };

  const texts = new Map(reads.map((read) => [read.path, read]));
  const findings = files.flatMap((file) => findingsIn(file, texts.get(file.path)?.lines ?? [], name.name));
  return { name, findings, notes: [...all.notes, ...notesOn(files, texts, wanted, known)], failure: undefined };
}

function searchFor({ name, under }: Wanted): Call {
  const path = under === undefined ? {} : { path: under };
  return { name: "search", input: { pattern: wholeWord(name.name), ...path, limit: most.hits } };
}

/** The name as ripgrep is asked for it: a word boundary wherever the name ends in a letter of a word. */
function wholeWord(name: string): string {
  const edge = /[\p{L}\p{N}_]/u;
  return `${edge.test(name.at(0) ?? "") ? "\\b" : ""}${escapeName(name)}${edge.test(name.at(-1) ?? "") ? "\\b" : ""}`;
}

/** One search for each of the languages that the first hits were in, for lines that could define the name. */
function definitionSearches({ name, under }: Wanted, hits: readonly Hit[]): Call[] {
  const met = new Set(hits.map(({ path }) => languageOf(path, languages)).filter((language) => language !== undefined));
  const path = under === undefined ? {} : { path: under };
  return [...met].slice(0, 3).map((language) => {
    // Two groups of one name are an error to ripgrep.
    const patterns = definingPatterns(language, escapeName(name.name)).map((pattern) =>
      pattern.replace("(?<owner>", "("),
    );
    const glob = `**/*.{${language.extensions.join(",")}}`;
    return { name: "search", input: { pattern: patterns.join("|"), ...path, glob, limit: most.hits } };
  });
}

type FileHits = { path: string; language: Language | undefined; hits: readonly Hit[] };

function filesOf(hits: readonly Hit[]): FileHits[] {
  const byPath = new Map<string, Map<number, Hit>>();
  for (const hit of hits) {
    const lines = byPath.get(hit.path) ?? new Map<number, Hit>();
    byPath.set(hit.path, lines.set(hit.line, hit));
  }
  return [...byPath].map(([path, lines]) => ({
    path,
    language: languageOf(path, languages),
    hits: [...lines.values()].toSorted((a, b) => a.line - b.line),
  }));
}

/** The files worth reading, within bounds: first those that may define the name, then code, then tests. */
function filesToRead(files: readonly FileHits[], { name, wants }: Wanted): FileHits[] {
  const ranked = files
    .flatMap((file) => {
      const { language } = file;
      if (language === undefined) return [];
      const defines = file.hits.some(({ text }) => mayDefine(text, language, name.name));
      return defines || wants !== "definition"
        ? [{ file, rank: (defines ? 0 : 2) + (isAside(file.path) ? 1 : 0) }]
        : [];
    })
    .toSorted((a, b) => a.rank - b.rank);
  let left: number = most.lines;
  const chosen: FileHits[] = [];
  for (const { file } of ranked) {
    const lines = lastLineOf(file) + margin;
    if (lines > left || chosen.length === most.files) continue;
    left -= lines;
    chosen.push(file);
  }
  return chosen;
}

/** Tests, examples and what others wrote: named after the project's own code. */
export function isAside(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|testdata|examples?|bench(?:marks?)?|vendor|third_party|deps|dist|build|node_modules)\/|[._-](?:test|spec|long)\.|_test\.|(?:^|\/)test_/i.test(
    path,
  );
}

function lastLineOf(file: FileHits): number {
  return file.hits.at(-1)?.line ?? 0;
}

/** What is known of a file from its start to its last hit, and the calls that tell the rest. */
function readThrough(file: FileHits, known: Conversation): { path: string; lines: string[]; calls: Call[] } {
  const { path } = file;
  const wanted = lastLineOf(file) + margin;
  const lines: string[] = [];
  const calls: Call[] = [];
  for (let offset = 1; offset <= wanted;) {
    const limit = Math.min(most.linesAtOnce, wanted - offset + 1);
    const call: Call = { name: "read_file", input: { path, offset, limit } };
    const answer = known.answered(call);
    if (answer?.isError) break;
    if (answer === undefined) {
      // The whole way at once; where an answer turns out shorter, the next round goes on from there.
      calls.push(call);
      offset += limit;
      continue;
    }
    const part = parseLines(answer.text);
    if (part.first === lines.length + 1) lines.push(...part.lines);
    if (part.next === undefined) break;
    offset = part.next;
  }
  return { path, lines, calls };
}

/** What the name is on each line of a file where it stands: from the text read, else from the line alone. */
function findingsIn(file: FileHits, lines: readonly string[], name: string): Finding[] {
  const { path, language } = file;
  const region = language && lines.length > 0 ? regionOf(lines, language, { firstLine: 1 }) : undefined;
  const occurrences = Map.groupBy(region === undefined ? [] : occurrencesOf(region, name), ({ line }) => line);
  return file.hits.flatMap((hit): Finding[] => {
    const text = lines[hit.line - 1] ?? hit.text;
    if (region !== undefined && hit.line <= lines.length) {
      return summary(occurrences.get(hit.line) ?? []).map((found) => findingOf(path, found, region, text));
    }
    if (language !== undefined) {
      const alone = regionOf([text], language, { firstLine: hit.line, alone: true });
      return summary(occurrencesOf(alone, name)).map((found) => findingOf(path, found, alone, text));
    }
    const bare = { role: "text", kind: "", owner: "", inside: undefined } as const;
    return wholeName(name, undefined).test(text) ? [{ path, line: hit.line, text, ...bare }] : [];
  });
}

/** Of one line at most two things are told: what it defines, and the most telling of the rest. */
function summary(onLine: readonly Occurrence[]): Occurrence[] {
  const told: readonly Role[] = ["call", "mention", "re-export", "import", "string", "comment"];
  const defining = onLine.find(({ construct, role }) => construct !== undefined && !told.includes(role));
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
  { wants }: Wanted,
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
