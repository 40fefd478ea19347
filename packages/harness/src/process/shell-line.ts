/**
 * A line of a shell that outlives it. Each line gets a bash, and a sandbox, of its own: bash says at its end what it has
 * come to, and the next one is told so before its line. So a sandbox is made for each line as for any command, and
 * nothing that a line leaves running goes on.
 */

import { posix } from "node:path";
import type { Definition, ShellState } from "../gate/shell-state.ts";
import { firstHanded } from "./enclosure.ts";

/** Where bash reads what it is to be, and where it writes what it has come to. */
const stateIn = firstHanded;
const stateOut = firstHanded + 1;

/** Options that are made part of the line: before it, they would show what stands around it. */
const showing = /^set -o (?:xtrace|verbose)$/;

/**
 * The argument of `bash -c` for a line. It is one command to the parser, so all of it is read before anything in it can
 * change how things are read or shown.
 */
export function scriptFor(text: string, { definitions }: ShellState): string {
  const shown = definitions.filter(({ code }) => showing.test(code)).map(({ code }) => `${code}; `);
  const line = quoted(shown.join("") + text);
  return (
    `{ ${report} } 2>/dev/null; . /dev/fd/${stateIn} 2>/dev/null; ` +
    `eval ${line} ${stateIn}<&- ${stateOut}>&-; { ${report} builtin trap - EXIT; } >/dev/null 2>&1`
  );
}

/** What bash reads before its line. */
export function restoring({ definitions, status, elsewhere, before }: ShellState): string {
  const isStrict = definitions.some(({ code }) => code === "set -o errexit");
  return [
    ...(elsewhere === undefined ? [] : [`builtin cd -- ${quoted(elsewhere)}`]),
    ...(before === undefined ? [] : [`OLDPWD=${quoted(before)}`]),
    ...definitions.filter(({ code }) => !showing.test(code)).map(({ code }) => code),
    // The last one: bash ends at a code that is not 0 where it is strict.
    String.raw`\builtin return ${isStrict ? 0 : status}`,
    "",
  ].join("\n");
}

/**
 * Bash writes what it is: parts with a NUL behind each, in the order of `reportFrom`. In a process of its own, so that
 * nothing it needs is left behind, and in one line, so that those of the text count from 1. The names of variables are
 * found by their first letters.
 */
const report: string = [
  String.raw`( builtin printf '%s\0%s\0%s\0' "$?" "$PWD" "${"$"}{OLDPWD-}"`,
  String.raw`builtin shopt -p; builtin printf '\0'`,
  String.raw`builtin set +o; builtin printf '\0'`,
  String.raw`builtin umask -p; builtin printf '\0set --'`,
  String.raw`[ $# = 0 ] || builtin printf ' %q' "$@"; builtin printf '\0'`,
  String.raw`builtin declare -f; builtin printf '\0'`,
  String.raw`builtin declare -Fx; builtin printf '\0'`,
  String.raw`builtin trap -p; builtin printf '\0'`,
  String.raw`builtin alias -p; builtin printf '\0'`,
  String.raw`builtin declare -p IFS; builtin printf '\0'`,
  String.raw`builtin set +efux +o posix; IFS=' '`,
  `for croft_letter in ${"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_".split("").join(" ")}`,
  String.raw`do builtin eval "for croft_name in \${!$croft_letter@}; do builtin declare -p \$croft_name; builtin printf '\\0'; done"`,
  String.raw`done; builtin printf 'end\0' ) >&${stateOut};`,
].join("; ");
const last = "end";

/** They are bash's own, change by themselves, or are told apart. */
const notKept =
  /^(?:BASH(?!_ENV$).*|COMP_WORDBREAKS|DIRSTACK|EPOCH.*|EUID|FUNCNAME|GROUPS|HISTCMD|IFS|LINENO|OLDPWD|PIPESTATUS|PPID|PWD|S?RANDOM|SECONDS|SHELLOPTS|SHLVL|UID|_|croft_letter|croft_name)$/;

type Report = {
  status: number;
  folder: string;
  before: string;
  code: Readonly<Record<Listed, readonly string[]>>;
  /** Code by name. */
  variables: ReadonlyMap<string, string>;
};

/** In the order in which they have to be made. */
const listed = ["setting", "function", "umask", "arguments", "option", "trap", "alias"] as const;
type Listed = (typeof listed)[number];

/**
 * What a shell has come to, from what its bash wrote. `cwd`: the folder it was started in, relative to the root.
 * Undefined where bash did not get to the end of that: it has ended, or has become another program.
 */
export function stateFrom(written: string, cwd: string): ShellState | undefined {
  const parts = written.split("\0");
  const middle = parts.indexOf(last);
  const end = parts.lastIndexOf(last);
  if (middle === end) return undefined;
  const [before, after] = [reportFrom(parts.slice(0, middle)), reportFrom(parts.slice(middle + 1, end))];
  if (before === undefined || after === undefined) return undefined;
  const root = cwd === "." ? before.folder : before.folder.slice(0, -cwd.length - 1);
  return {
    ...placeIn(root, after.folder),
    before: after.before === "" ? undefined : after.before,
    status: after.status,
    definitions: definitionsOf(before, after),
  };
}

function reportFrom(parts: readonly string[]): Report | undefined {
  const [status = "", folder = "", before = "", ...rest] = parts;
  const [settings = "", options = "", umask = "", given = "", functions = "", exported = "", ...more] = rest;
  const [traps = "", aliases = "", ifs = "", ...others] = more;
  if (!/^\d+$/.test(status) || !folder.startsWith("/")) return undefined;
  const variables = [
    ["IFS", ifs.trimEnd()] as const,
    ...others.map(named).filter(([name]) => name !== "" && !notKept.test(name)),
  ];
  const code = {
    setting: lines(settings),
    option: lines(options),
    umask: lines(umask),
    arguments: [given],
    function: [...whole(functions), ...lines(exported)],
    trap: whole(traps),
    alias: whole(aliases),
  };
  return { status: Number(status), folder, before, code, variables: new Map(variables) };
}

function definitionsOf(before: Report, after: Report): Definition[] {
  const [settings = [], ...others] = listed.map((kind): Definition[] => {
    const already = new Set(before.code[kind]);
    return after.code[kind].filter((code) => !already.has(code)).map((code) => ({ kind, code }));
  });
  const set = [...after.variables]
    .filter(([name, code]) => before.variables.get(name) !== code)
    .map(([, code]): Definition => ({ kind: "variable", code }));
  const unset = [...before.variables.keys()]
    .filter((name) => !after.variables.has(name))
    .map((name): Definition => ({ kind: "unset", code: `unset -v ${name}` }));
  return [...settings, ...set, ...unset, ...others.flat()];
}

function placeIn(root: string, folder: string): Pick<ShellState, "folder" | "elsewhere"> {
  if (folder === root) return { folder: "." };
  return folder.startsWith(`${root}/`)
    ? { folder: posix.normalize(folder.slice(root.length + 1)) }
    : { folder: ".", elsewhere: folder };
}

/** `declare -x NAME="value"` with the name in front. */
function named(declaration: string): readonly [name: string, code: string] {
  const code = declaration.trimEnd();
  return [/^declare -\S+ (\w+)/.exec(code)?.[1] ?? "", code];
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

function whole(text: string): string[] {
  return text.trim() === "" ? [] : [text.trimEnd()];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
