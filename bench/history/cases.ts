/** What is asked of the tools: changes of real commits, as they were and with what goes wrong around them. */

import { decode, type Encoding } from "../../packages/harness/src/workspace/text/text.ts";
import { changesOf, type LineChange } from "./changes.ts";
import {
  asEdits,
  asEnvelope,
  asInserts,
  asUnified,
  placesOf,
  textOf,
  withEnds,
  type Call,
  type Hunk,
} from "./requests.ts";

/** A file as it was before a commit and as it was after, and long before; git's own hunks between the first two. */
export type Version = {
  before: Buffer;
  after: Buffer;
  older: Buffer | undefined;
  hunks: Buffer;
};

/**
 * Calls on a file, and what they may lead to: these bytes, and this text whatever its line ends, where the request does
 * not say which; with neither, nothing but a refusal. A refusal is always allowed.
 */
export type Case = {
  arm: string;
  file: Buffer;
  calls: Call[];
  bytes?: Buffer | undefined;
  text?: string | undefined;
  /** What the file held when it was read, if the request is made of another file than is there. */
  read?: Buffer | undefined;
};

/** Why a change is not replayed. */
export type Passed = "binary" | "another encoding" | "only line ends" | "larger than 1 MB";

const maxSize = 1_000_000;
const path = "file";

/** All cases of a change and what kind of file it is in, or why there are none. */
export function casesOf(version: Version): { cases: Case[]; kinds: string[] } | Passed {
  const { before, after } = version;
  if (Math.max(before.length, after.length) > maxSize) return "larger than 1 MB";
  const old = decode(before);
  const now = decode(after);
  if (old === undefined || now === undefined) return "binary";
  if (old.encoding !== now.encoding) return "another encoding";
  const asShown = (text: string): string[] => withEnds(textOf(text.replaceAll("\r\n", "\n")));
  const lines = asShown(old.text);
  const changes = changesOf(lines, asShown(now.text));
  if (changes.length === 0) return "only line ends";
  // A request says nothing of line ends: where the commit changed them, or they are mixed, only the text is compared.
  const isUniform = endsOf(old.text) === endsOf(now.text) && endsOf(old.text) !== "mixed";
  const wanted = { file: before, bytes: after, text: isUniform ? undefined : asShown(now.text).join("") };
  const forms = formsOf(lines, changes);
  const cases = [
    ...forms.map(({ form, calls }) => ({ arm: form, calls, ...wanted })),
    ...ofGit(version, old.encoding),
    ...forms.flatMap((form) => slips(form, wanted)),
    ...forms.flatMap((form) => copies(form, version, lines, changes)),
    ...forms.flatMap((form) => stale(form, version)),
    ...forms.flatMap((form) => otherEnds(form, version, old.text + now.text)),
  ];
  return { cases, kinds: kindsOf(old.text, old.encoding) };
}

function kindsOf(text: string, encoding: Encoding): string[] {
  const ends = endsOf(text) === "\r\n" ? "CRLF" : endsOf(text) === "mixed" ? "mixed line ends" : "LF";
  const open = text !== "" && !text.endsWith("\n") ? ["no final newline"] : [];
  return [ends, encoding === "bytes" ? "unknown encoding" : encoding, ...open];
}

type Form = { form: string; calls: Call[]; hunks: readonly Hunk[] };
type Wanted = Pick<Case, "file" | "bytes" | "text">;

function formsOf(lines: string[], changes: readonly LineChange[]): Form[] {
  const unified = asUnified(path, lines, changes);
  const envelope = asEnvelope(path, lines, changes);
  const inserts = asInserts(changes);
  return [
    { form: "edits", calls: asEdits(lines, changes), hunks: [] },
    { form: "unified", calls: [unified.call], hunks: unified.hunks },
    { form: "envelope", calls: [envelope.call], hunks: envelope.hunks },
    ...(inserts === undefined ? [] : [{ form: "inserts", calls: inserts, hunks: [] }]),
  ];
}

function endsOf(raw: string): string {
  const ends = new Set(raw.match(/\r?\n/g));
  return ends.size > 1 ? "mixed" : ([...ends][0] ?? "none");
}

/** The diff of git itself, which shows every byte; as text it can only be had of UTF-8. */
function ofGit({ before, after, hunks }: Version, encoding: Encoding): Case[] {
  const text = decode(hunks);
  if (!encoding.startsWith("utf-8") || text?.encoding !== "utf-8") return [];
  // A mark at the beginning of the file is a character of its first line to git, and none to a model.
  const body = text.text.replaceAll(/^([-+ ])\ufeff/gm, "$1");
  const patch = `--- a/${path}\n+++ b/${path}\n${body}`;
  return [{ arm: "diff of git", file: before, calls: [{ tool: "apply_patch", patch }], bytes: after }];
}

const perturbations: readonly { name: string; change: (old: string) => string }[] = [
  { name: "blanks at the ends of lines", change: (old) => old.replace(/(?<=\S)$/gm, "  ") },
  {
    name: "tabs for blanks, or blanks for tabs",
    change: (old) =>
      /^\t/m.test(old)
        ? old.replace(/^\t+/gm, (run) => "    ".repeat(run.length))
        : old.replace(/^(?: {4})+/gm, (run) => "\t".repeat(run.length / 4)),
  },
  { name: "curly quotes", change: (old) => old.replace(/"/g, "\u201d").replace(/'/g, "\u2019") },
  { name: "line numbers", change: (old) => old.replace(/^/gm, "12\t") },
];

/** The text that shall be found is not what stands there. */
function slips({ form, calls }: Form, wanted: Wanted): Case[] {
  return perturbations.flatMap(({ name, change }) => {
    const changed = calls.map((call) => withOld(call, change));
    const isSame = changed.every((call, index) => JSON.stringify(call) === JSON.stringify(calls[index]));
    return isSame ? [] : [{ arm: `${form}: ${name}`, calls: changed, ...wanted }];
  });
}

function withOld(call: Call, change: (old: string) => string): Call {
  if (call.tool === "edit_file") return { ...call, old: change(call.old) };
  if (call.tool === "insert") return call;
  const patch = call.patch.replace(
    /^([- ])(?!-- (?:a\/|b\/))(.*)$/gm,
    (_, kind: string, line: string) => kind + change(line),
  );
  return { ...call, patch };
}

/**
 * What is changed first stands in the file a second time, behind it or before all else. There it stands one line below
 * its own place; where even so its lines stand exactly where the diff says, they are what the diff speaks of.
 */
function copies(
  { form, calls, hunks }: Form,
  version: Version,
  lines: readonly string[],
  changes: readonly LineChange[],
): Case[] {
  const { before, after } = version;
  const [first] = changes;
  const isPlain = [before, after].every(
    (bytes) => bytes.at(-1) === 10 && !bytes.includes(13) && bytes[0] !== 0xef && bytes[0] !== 0xff,
  );
  if (first === undefined || !isPlain || decode(before)?.encoding !== "utf-8") return [];
  const start = Math.max(0, first.from - 40);
  const copy = Buffer.from(lines.slice(start, first.to + 40).join(""));
  const shifted = Buffer.concat([Buffer.from("\n".repeat(start + 1)), copy]);
  return [
    { arm: `${form}: a copy behind`, file: Buffer.concat([before, copy]), calls, bytes: Buffer.concat([after, copy]) },
    // Lines that are named by their numbers are others there.
    ...(form === "inserts"
      ? []
      : [
          {
            arm: `${form}: a copy before`,
            file: Buffer.concat([shifted, before]),
            calls,
            bytes: Buffer.concat([shifted, after]),
            text: form === "unified" ? hunksOn(shifted.toString() + before.toString(), hunks, true) : undefined,
          },
        ]),
  ];
}

/** The file is one of long before. What may be done is worked out with plain strings. */
function stale({ form, calls, hunks }: Form, { before, older }: Version): Case[] {
  const decoded = older === undefined ? undefined : decode(older);
  // A hunk without a mark fits a last line with and without a line break; with strings that would have to be told apart.
  if (older === undefined || decoded === undefined || older.at(-1) !== before.at(-1)) return [];
  if (form === "inserts" && older.equals(before)) return [];
  const shown = decoded.text.replaceAll("\r\n", "\n");
  const text = form === "edits" ? editsOn(shown, calls) : hunksOn(shown, hunks, form === "unified");
  return [{ arm: `${form}: an older file`, file: older, calls, text, read: before }];
}

function editsOn(text: string, calls: readonly Call[]): string | undefined {
  let now = text;
  for (const call of calls) {
    if (call.tool !== "edit_file" || call.old === "") return undefined;
    const parts = now.split(call.old);
    if (parts.length !== 2 || now.indexOf(call.old) !== now.lastIndexOf(call.old)) return undefined;
    now = parts.join(call.new);
  }
  return now;
}

function hunksOn(text: string, hunks: readonly Hunk[], isNumbered: boolean): string | undefined {
  const lines = withEnds(textOf(text));
  const changes: LineChange[] = [];
  for (const hunk of hunks) {
    // What makes the last line one without a line break can only stand at the end.
    const isLast = hunk.changes.at(-1)?.lines.at(-1)?.endsWith("\n") === false;
    const places = placesOf(lines, hunk.old).filter((place) => !isLast || place + hunk.old.length === lines.length);
    const at = places.length === 1 ? places[0] : isNumbered && places.includes(hunk.at) ? hunk.at : undefined;
    if (at === undefined) return undefined;
    const moved = at - hunk.at;
    changes.push(...hunk.changes.map(({ from, to, lines }) => ({ from: from + moved, to: to + moved, lines })));
  }
  changes.sort((a, b) => b.from - a.from);
  return changes.reduce((now, { from, to, lines }) => now.toSpliced(from, to - from, ...lines), lines).join("");
}

/** The request writes line ends in one way, and the file in the other. */
function otherEnds({ form, calls }: Form, { before, after }: Version, text: string): Case[] {
  if (text.includes("\r") || decode(before)?.encoding !== "utf-8") return [];
  const crlf = (bytes: Buffer): Buffer => Buffer.from(bytes.toString().replaceAll("\n", "\r\n"));
  const inCrlf = calls.map(withCrlf);
  const hasBreak = before.includes(10);
  return [
    ...(hasBreak ? [{ arm: `${form}: LF for a CRLF file`, file: crlf(before), calls, bytes: crlf(after) }] : []),
    { arm: `${form}: CRLF for an LF file`, file: before, calls: inCrlf, bytes: after },
  ];
}

function withCrlf(call: Call): Call {
  const crlf = (text: string): string => text.replaceAll("\n", "\r\n");
  switch (call.tool) {
    case "edit_file":
      return { ...call, old: crlf(call.old), new: crlf(call.new) };
    case "insert":
      return { ...call, text: crlf(call.text) };
    default:
      return { ...call, patch: crlf(call.patch) };
  }
}
