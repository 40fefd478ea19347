/** What was entered in a project before: a file of this user's alone, a line for each, which several crofts may add to. */

import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { withoutSecrets } from "@croft/harness";
import { projectKey } from "../config/stores.ts";

/** Entries that are kept. */
const most = 5_000;
/** The file may grow beyond, so that it is not written anew with every entry. */
const slack = 500;
/** UTF-16 units of an entry that is kept: what is pasted is no history, and a part of it would be taken for the whole. */
const longest = 10_000;

export interface History {
  /** The newest last. */
  entries(): readonly string[];
  /** Without its secrets. Never rejects: what cannot be kept is there for as long as this chat lasts. */
  add(text: string): Promise<void>;
}

/** `stateHome`: undefined: nothing is kept. `root`: a real path. */
export function openHistory(stateHome: string | undefined, root: string): History {
  const file = stateHome === undefined ? undefined : join(stateHome, "croft", "history", `${projectKey(root)}.jsonl`);
  let known: string[] | undefined;
  const entries = (): string[] => (known ??= file === undefined ? [] : kept(file));
  return {
    entries,
    async add(text) {
      const entered = text.trim();
      const isKept = entered.length <= longest;
      const hidden = isKept ? await withoutSecrets(entered) : entered;
      const all = entries();
      if (hidden === "" || hidden === all.at(-1)) return;
      all.push(hidden);
      if (all.length > most) all.shift();
      if (isKept && file !== undefined) append(file, hidden);
    },
  };
}

/** One write to the end of the file: the system keeps lines of several processes apart. */
function append(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    appendFileSync(file, `${JSON.stringify(text)}\n`, { mode: 0o600 });
  } catch {
    // a state folder that cannot be written is told of where it matters, with the trace
  }
}

/** What can be read of it; a line that is damaged hides no other. Cuts the file where it has grown too long. */
function kept(file: string): string[] {
  const lines = linesIn(file);
  const entries = lines.flatMap(entryOn).slice(-most);
  if (lines.length > most + slack) shorten(file, entries);
  return entries;
}

function linesIn(file: string): string[] {
  try {
    if (!statSync(file).isFile()) return [];
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    return [];
  }
}

function entryOn(line: string): string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" ? [value] : [];
  } catch {
    return [];
  }
}

function shorten(file: string, entries: readonly string[]): void {
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, entries.map((text) => `${JSON.stringify(text)}\n`).join(""), { mode: 0o600, flag: "wx" });
    renameSync(fresh, file);
  } catch {
    // the next one tries again
  }
}
