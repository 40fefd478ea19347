/** The commands within a command: `env`, `xargs`, `sh -c`, `find -exec` and their like. */

import type { Dialect } from "../shell/hazards.ts";
import { anything, type Word } from "../shell/word.ts";
import { baseName } from "./match.ts";
import { appending, joining, launchers, prefixes, shells, type Prefix } from "./wrappers.ts";

/** `opaque` says why the command within cannot be seen. */
export type Unwrapped =
  | { opaque: string }
  | {
      commands: readonly (readonly [Word, ...Word[]])[];
      scripts: readonly { text: string; dialect: Dialect }[];
      variables: readonly string[];
    };

const nothing = { commands: [], scripts: [], variables: [] };

/** Undefined for a program that runs no other among its words. */
export function unwrap(program: string, words: readonly Word[]): Unwrapped | undefined {
  const name = baseName(program);
  if (Object.hasOwn(shells, name)) return fromShell(name, words);
  if (name === "find") return fromFind(words);
  if (name.startsWith("git-")) return { ...nothing, commands: [["git", name.slice(4), ...words]] };
  const prefix = lookUp(prefixes, name);
  if (prefix !== undefined) return fromPrefix(name, prefix, words);
  if (isLauncher(program)) return fromLauncher(name, launchers[name] ?? {}, words);
  const appends = lookUp(appending, name);
  if (appends !== undefined) return fromAppending(name, appends, words);
  const joins = lookUp(joining, name);
  return joins === undefined ? undefined : fromJoined(name, joins, words);
}

/** Whether a program is more than what it runs. */
export function isLauncher(program: string): boolean {
  return Object.hasOwn(launchers, baseName(program));
}

/** A word that may be the value of an option is read as a subcommand too, and so is the next that can be one. */
function fromLauncher(
  name: string,
  subcommands: Readonly<Record<string, Prefix>>,
  words: readonly Word[],
): Unwrapped | undefined {
  const commands: (readonly [Word, ...Word[]])[] = [];
  let reads = false;
  for (const [at, word] of words.entries()) {
    if (typeof word !== "string") continue;
    const prefix = lookUp(subcommands, word);
    if (prefix === undefined) continue;
    const within = fromSubcommand(`${name} ${word}`, prefix, words.slice(at + 1));
    if ("opaque" in within) return within;
    commands.push(...within.commands);
    reads = true;
    if (!isOption(words[at - 1])) break;
  }
  return reads ? { ...nothing, commands } : undefined;
}

/** What stands behind `--` is the command, where only options stand before it, or what the launcher is to provide. */
function fromSubcommand(name: string, prefix: Prefix, words: readonly Word[]): Unwrapped {
  const dashes = words.indexOf("--");
  const own = words.slice(0, Math.max(0, dashes));
  const isBehind = prefix.separated ? dashes >= 0 && !own.some(isOption) : dashes >= 0 && own.every(isOption);
  if (isBehind) return { ...nothing, commands: commandOf(words.slice(dashes + 1)) };
  return prefix.separated ? { opaque: `what \`${name}\` runs cannot be told` } : fromPrefix(name, prefix, words);
}

function isOption(word: Word | undefined): boolean {
  return typeof word === "string" ? word.startsWith("-") : word?.operand === false;
}

function lookUp(table: Readonly<Record<string, Prefix>>, name: string): Prefix | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function fromPrefix(name: string, prefix: Prefix, words: readonly Word[]): Unwrapped {
  const start = commandStart(prefix, words);
  const own = words.slice(0, start ?? words.findIndex((word) => typeof word !== "string"));
  if (own.some((word) => typeof word === "string" && prefix.describing.includes(word))) return nothing;
  if (start === undefined) return { opaque: `what \`${name}\` runs cannot be told` };
  const variables = prefix.assignments
    ? own.flatMap((word) => (typeof word === "string" ? (assignment.exec(word)?.[1] ?? []) : []))
    : [];
  return { ...nothing, variables, commands: commandOf(words.slice(start)) };
}

function fromAppending(name: string, prefix: Prefix, words: readonly Word[]): Unwrapped {
  const start = commandStart(prefix, words);
  if (start === undefined) return { opaque: `what \`${name}\` runs cannot be told` };
  const command = words.slice(start);
  if (command.length === 0) return nothing;
  const placeholders = placeholdersIn(words.slice(0, start));
  const isFilled = (word: Word): boolean =>
    placeholders.some((each) => typeof each !== "string" || (typeof word === "string" && word.includes(each)));
  return { ...nothing, commands: commandOf([...command.map((word) => (isFilled(word) ? anything : word)), anything]) };
}

function fromJoined(name: string, prefix: Prefix, words: readonly Word[]): Unwrapped {
  const start = commandStart(prefix, words);
  const own = words.slice(start);
  const known = own.filter((word) => typeof word === "string");
  if (start === undefined || known.length < own.length) return { opaque: `what \`${name}\` runs cannot be told` };
  if (known.length === 0) return nothing;
  return { ...nothing, scripts: [{ text: known.join(" "), dialect: name === "eval" ? "bash" : "sh" }] };
}

/** Options of a shell that change nothing about how it reads the text behind `-c`. */
const shellFlags = /^(?:-[celux]+|--norc|--noprofile|--login)$/;
const shellModes: ReadonlySet<Word | undefined> = new Set(["pipefail", "errexit", "nounset", "xtrace", "noglob"]);

function fromShell(name: string, words: readonly Word[]): Unwrapped {
  const dialect = shells[name] ?? "other";
  let reads = false;
  let at = 0;
  for (let word = words[at]; typeof word === "string"; word = words[at]) {
    const mode = /^-[celux]*o$/.test(word) && shellModes.has(words[at + 1]);
    if (!mode && !shellFlags.test(word)) break;
    reads ||= /^-[a-z]*c/.test(word);
    at += mode ? 2 : 1;
  }
  const script = words[at];
  if (typeof script !== "string" || /^[-+]/.test(script)) return { opaque: `what \`${name}\` reads cannot be seen` };
  // A file of commands in the folder or, failing that, on the PATH: never the program its bare name stands for.
  if (!reads)
    return { ...nothing, commands: [[script.includes("/") ? script : `./${script}`, ...words.slice(at + 1)]] };
  if (dialect === "other") return { opaque: `\`${name}\` has a language of its own` };
  return { ...nothing, scripts: [{ text: script, dialect }] };
}

const runsEach: ReadonlySet<Word> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

function fromFind(words: readonly Word[]): Unwrapped {
  const commands = words.flatMap((word, index) => {
    if (!runsEach.has(word)) return [];
    const rest = words.slice(index + 1);
    const end = rest.findIndex((each, at) => each === ";" || (each === "+" && rest[at - 1] === "{}"));
    const command = end < 0 ? rest : rest.slice(0, end);
    return commandOf(command.map((each) => (typeof each === "string" && each.includes("{}") ? anything : each)));
  });
  return { ...nothing, commands };
}

const assignment = /^([^=]*)=/;

/** Where the words of the command begin; undefined where an option or a word is not known. */
function commandStart(prefix: Prefix, words: readonly Word[]): number | undefined {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (typeof word !== "string") return prefix.operands > 0 || word?.operand !== true ? undefined : at;
    if (word === "--") {
      at += 1;
      break;
    }
    if (!word.startsWith("-")) break;
    const length = optionLength(prefix, word, words[at + 1]);
    if (length === 0) return undefined;
    at += length - 1;
  }
  const operands = words.slice(at, at + prefix.operands);
  if (operands.some((word) => typeof word !== "string" && !word.single)) return undefined;
  at += prefix.operands;
  while (prefix.assignments && isAssignment(words[at])) at += 1;
  return at;
}

function isAssignment(word: Word | undefined): boolean {
  return typeof word === "string" && assignment.test(word);
}

/** 0 for an option that is not known. */
function optionLength({ flags, valued, describing }: Prefix, word: string, value: Word | undefined): number {
  if (flags.includes(word) || describing.includes(word)) return 1;
  if (valued.includes(word)) return typeof value === "string" || value?.single === true ? 2 : 0;
  const attached = valued.some((option) =>
    option.startsWith("--") ? word.startsWith(`${option}=`) : !word.startsWith("--") && word.startsWith(option),
  );
  if (attached) return 1;
  const isBundle = /^-\w{2,}$/.test(word) && Array.from(word.slice(1)).every((letter) => flags.includes(`-${letter}`));
  return isBundle || /^-\d+$/.test(word) ? 1 : 0;
}

/** All that `xargs -I{}` may put a line in place of: which option has which value is not looked at. */
function placeholdersIn(options: readonly Word[]): readonly Word[] {
  const isReplacing = (word: Word): boolean => typeof word === "string" && word.startsWith("-I");
  if (!options.some(isReplacing)) return [];
  return options
    .map((word) => (typeof word === "string" ? word.replace(/^-I/, "") : word))
    .filter((word) => word !== "");
}

function commandOf([program, ...words]: readonly Word[]): (readonly [Word, ...Word[]])[] {
  return program === undefined ? [] : [[program, ...words]];
}
