/** Reads what the tools say: `search`, `read_file` and `list_files` answer in lines of text. */

export type Hit = { path: string; line: number; text: string };
/** `notes` are the tool's own remarks, without their parentheses, in words for a person. */
export type Hits = { hits: readonly Hit[]; stopped: boolean; notes: readonly string[] };
export type Lines = {
  /** The number of the first line. */
  first: number;
  lines: readonly string[];
  /** Lines of the whole file. */
  total: number;
  /** The line to go on with, where there is more. */
  next: number | undefined;
};

/** What the loop puts where it cuts a result that is too long: the lines beside it may be halves. */
const gap = /^… \(\d+ characters left out/;

/** `src/a.ts:12: text` a line; a path with odd characters is a JSON string; remarks stand in parentheses. */
export function parseHits(text: string): Hits {
  const hits: Hit[] = [];
  const notes: string[] = [];
  const lines = text.split("\n");
  const cut = lines.findIndex((line) => gap.test(line));
  if (cut !== -1) lines.splice(cut - 1, 3);
  for (const line of lines) {
    const note = /^\((.*)\)$/.exec(line)?.[1];
    const hit = /^(?:(?<quoted>"(?:[^"\\]|\\.)*")|(?<plain>.+?)):(?<line>\d+):(?: (?<text>.*))?$/.exec(line)?.groups;
    if (hit !== undefined) {
      const path = hit["plain"] ?? unquoted(hit["quoted"] ?? "");
      hits.push({ path, line: Number(hit["line"]), text: hit["text"] ?? "" });
    } else if (note !== undefined) {
      notes.push(forPerson(note));
    }
  }
  if (cut !== -1) notes.push("some matches were left out of a long result");
  return { hits, stopped: cut !== -1 || notes.some((note) => note.startsWith("stopped at")), notes };
}

/** `src/a.ts: lines 1-400 of 1234`, then numbered lines, then perhaps `(continue with offset 401)`. */
export function parseLines(text: string): Lines {
  const all = text.split("\n");
  const cut = all.findIndex((line) => gap.test(line));
  const whole = cut === -1 ? all : all.slice(0, cut - 1);
  const numbered = whole.flatMap((line) => {
    const found = /^ *(\d+)\t(.*)$/.exec(line);
    return found === null ? [] : [{ number: Number(found[1]), text: found[2] ?? "" }];
  });
  const first = numbered[0]?.number ?? 1;
  const next = cut === -1 ? /\(continue with offset (\d+)\)\s*$/.exec(text)?.[1] : first + numbered.length;
  return {
    first,
    lines: numbered.map((line) => line.text),
    total: Number(/^.*?: lines \d+-\d+ of (\d+)/.exec(text)?.[1] ?? numbered.length),
    next: next === undefined ? undefined : Number(next),
  };
}

/** One path a line; folders end in `/`; a remark in parentheses comes last. */
export function parseEntries(text: string): { entries: readonly string[]; notes: readonly string[] } {
  const entries: string[] = [];
  const notes: string[] = [];
  for (const line of text.split("\n")) {
    const note = /^\((.*)\)$/.exec(line)?.[1];
    if (note !== undefined) notes.push(forPerson(note));
    else if (line !== "") entries.push(line.startsWith('"') ? unquoted(line) : line);
  }
  return { entries, notes: notes.filter((note) => note !== "empty") };
}

/** Why a tool refused, without the advice to a model that may follow. */
export function reasonIn(error: string): string {
  return /^(?:"(?:[^"\\]|\\.)*"|[^"])*?[.!?](?=\s|$)/.exec(error)?.[0] ?? error;
}

/** How to narrow a call is of no use to who asked a question. */
function forPerson(note: string): string {
  return note.replace(/; narrow with .*$/, "; name a folder in the question to narrow it");
}

function unquoted(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return json;
  }
}
