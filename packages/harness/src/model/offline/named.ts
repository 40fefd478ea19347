/** Where a file or folder is that a question calls by its name: "where is the README?", "where are the tests?". */

import type { Call, Conversation, Step } from "./conversation.ts";
import { parseEntries } from "./tool-text.ts";
import { count, paragraphs, section } from "./writing.ts";

const maxEntries = 50;

/** The files and folders of a name, in any case of letters, or undefined where there are none. */
export function namedStep(name: string, known: Conversation): Step | undefined {
  const stem = name.replace(/(?<=\w{3})s$/, "");
  const glob = `**/*${stem.replace(/\p{L}/gu, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)}*`;
  const list: Call = { name: "list_files", input: { path: ".", glob } };
  const found = known.answered(list);
  if (found === undefined) return { calls: [list] };
  if (found.isError) return undefined;
  const { entries, notes } = parseEntries(found.text);
  const ranked = entries.map((entry) => ({ entry, rank: rankOf(entry, stem) })).filter(({ rank }) => rank < 4);
  const close = ranked.toSorted((a, b) => a.rank - b.rank).map(({ entry }) => entry);
  const [only] = close;
  if (only === undefined) return undefined;
  const remarks = notes.join(" ");
  if (close.length === 1) return { answer: paragraphs(`${only} is the one place of that name.`, remarks) };
  const folders = close.filter((entry) => entry.endsWith("/")).length;
  const counts = [count(folders, "folder"), count(close.length - folders, "file")].filter((n) => !n.startsWith("0 "));
  const left = close.length - maxEntries;
  return {
    answer: paragraphs(
      `${counts.join(" and ")} have that name or a part of it.`,
      section("Entries", close.slice(0, maxEntries)),
      left > 0 ? `${left} more are not listed.` : "",
      remarks,
    ),
  };
}

/** 0 and 1: the whole name, but for its ending or an s; 2 and 3: one of its words. Folders first. */
function rankOf(entry: string, stem: string): number {
  const base = entry.replace(/[/@|]$/, "").replace(/^.*\//, "");
  const wanted = stem.toLowerCase();
  const wholes = [base, base.replace(/\.\w+$/, "")].map(singular);
  const words = base.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).map(singular);
  const distance = wholes.includes(wanted) ? 0 : words.includes(wanted) ? 2 : 4;
  return distance + (entry.endsWith("/") ? 0 : 1);
}

function singular(word: string): string {
  return word.toLowerCase().replace(/(?<=\w{3})s$/, "");
}
