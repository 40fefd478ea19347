/** What could stand where the person types: a command behind a first slash, its argument, a file behind an `@`. */

import type { Completion } from "./screen.ts";
import { commandFrom } from "./own/own-commands.ts";
import { pathsIn, withProject } from "./project-files.ts";
import { ranked } from "./ranked.ts";
import type { Talk } from "./talk.ts";

/** Offered at most. */
const most = 50;
/** Files that are looked through, and the milliseconds that may take: a large tree must not hold up who types. */
const filesMost = 50_000;
const walkMs = 400;
/** Milliseconds for which a list of files is used again. */
const freshMs = 3_000;

type Complete = (draft: string, cursor: number, signal: AbortSignal) => Promise<readonly Completion[]>;

/** Never rejects. */
export function completer(talk: Talk): Complete {
  const files = fileList(talk);
  return async (draft, cursor, signal) => {
    const before = draft.slice(0, cursor);
    const found = commandIn(before) ?? argumentIn(before) ?? mentionIn(before);
    if (found === undefined) return [];
    const all = await found(signal).catch(() => []);
    return signal.aborted ? [] : all;
  };

  type Find = (signal: AbortSignal) => Promise<readonly Completion[]>;

  function commandIn(before: string): Find | undefined {
    const [, typed] = /^\/([\w:.-]*)$/u.exec(before) ?? [];
    if (typed === undefined) return undefined;
    return async (signal) => {
      const commands = [...talk.commands, ...(await talk.own(signal)).own.map(commandFrom)];
      const notes = new Map(commands.toReversed().map(({ name, help }) => [name, help]));
      const names = ranked(typed, [...notes.keys()]).slice(0, most);
      return names.map((name) => ({ from: 0, insert: `/${name} `, label: `/${name}`, note: notes.get(name) }));
    };
  }

  function argumentIn(before: string): Find | undefined {
    const [, name, blanks = "", typed = ""] = /^\/([\w:.-]+)(\s+)(.*)$/su.exec(before) ?? [];
    const command = talk.commands.find((each) => each.name === name);
    const values = command?.arguments;
    if (name === undefined || values === undefined) return undefined;
    const from = 1 + name.length + blanks.length;
    return async (signal) => {
      const all = await values(talk, signal);
      const fitting = all.filter(({ value }) => value.startsWith(typed));
      return fitting.slice(0, most).map(({ value, note }) => ({ from, insert: value, label: value, note }));
    };
  }

  function mentionIn(before: string): Find | undefined {
    const [, start = "", typed] = /((?:^|[\s([{])@"?)([^\s"]*)$/u.exec(before) ?? [];
    if (typed === undefined || start === "") return undefined;
    const from = before.length - typed.length - (start.endsWith('"') ? 2 : 1);
    return async (signal) => {
      const all = await files(folderOf(typed), signal);
      const paths = ranked(typed, all.filter(canBeTyped));
      return paths.slice(0, most).map((path) => ({ from, insert: mentionOf(path), label: path }));
    };
  }
}

/** The project's files, and before them the entries of the folder that is typed, which a cut walk may not have seen. */
function fileList(talk: Talk): (folder: string, signal: AbortSignal) => Promise<readonly string[]> {
  let walked: { at: number; root: string; paths: readonly string[] } | undefined;
  return async (folder, signal) =>
    withProject({ root: talk.root, rules: talk.current.rules }, async (workspace) => {
      const near = await pathsIn(workspace, { folder, depth: 1, most: filesMost }, signal);
      if (walked === undefined || performance.now() - walked.at > freshMs || walked.root !== talk.root) {
        const time = AbortSignal.any([signal, AbortSignal.timeout(walkMs)]);
        const paths = await pathsIn(workspace, { folder: ".", depth: undefined, most: filesMost }, time);
        walked = { at: performance.now(), root: talk.root, paths };
      }
      return [...new Set([...near, ...walked.paths])];
    });
}

/** A name with a control character in it does not come out of a draft as it went in. */
function canBeTyped(path: string): boolean {
  return !/\p{Cc}/u.test(path);
}

function folderOf(typed: string): string {
  const end = typed.lastIndexOf("/");
  return end === -1 ? "." : typed.slice(0, end);
}

/** A folder is gone into next; behind a file the sentence goes on. */
function mentionOf(path: string): string {
  const shown = /[\s"]/u.test(path) ? `@"${path}"` : `@${path}`;
  return path.endsWith("/") ? shown : `${shown} `;
}
