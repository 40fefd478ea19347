/** The commands within a command: `env`, `xargs`, `sh -c`, `find -exec` and their like. */

import type { Dialect } from "../shell/hazards.ts";
import { anything, type Word } from "../shell/word.ts";
import { baseName } from "./match.ts";
import { appending, joining, prefixes, shells, type Prefix } from "./wrappers.ts";

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
  const appends = lookUp(appending, name);
  if (appends !== undefined) return fromAppending(name, appends, words);
  const joins = lookUp(joining, name);
  return joins === undefined ? undefined : fromJoined(name, joins, words);
}

function lookUp(table: Readonly<Record<string, Prefix>>, name: string): Prefix | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function fromPrefix(name: string, prefix: Prefix, words: readonly Word[]): Unwrapped {
  const start = commandStart(prefix, words);
  if (start === undefined) return { opaque: `what \`${name}\` runs cannot be told` };
  const own = words.slice(0, start);
  if (own.some((word) => typeof word === "string" && prefix.describing.includes(word))) return nothing;
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
  const placeholder = placeholderIn(words.slice(0, start));
  const filled = command.map((word) => (typeof word === "string" && contains(word, placeholder) ? anything : word));
  return { ...nothing, commands: commandOf([...filled, anything]) };
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
  // A file of commands, as any other program that no rule knows.
  if (!reads && typeof script === "string" && !script.startsWith("-")) return nothing;
  if (!reads || typeof script !== "string") return { opaque: `what \`${name}\` reads cannot be seen` };
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
  const bundled =
    /^-[A-Za-z0-9]{2,}$/.test(word) &&
    word
      .slice(1)
      .split("")
      .every((letter) => flags.includes(`-${letter}`));
  return bundled || /^-\d+$/.test(word) ? 1 : 0;
}

/** What `xargs -I{}` puts the line in place of. */
function placeholderIn(options: readonly Word[]): Word | undefined {
  const at = options.findIndex((word) => typeof word === "string" && word.startsWith("-I"));
  const option = options[at];
  return typeof option === "string" && option.length > 2 ? option.slice(2) : options[at < 0 ? options.length : at + 1];
}

/** One that is not known may be anything. */
function contains(word: string, placeholder: Word | undefined): boolean {
  if (placeholder === undefined) return false;
  return typeof placeholder !== "string" || word.includes(placeholder);
}

function commandOf([program, ...words]: readonly Word[]): (readonly [Word, ...Word[]])[] {
  return program === undefined ? [] : [[program, ...words]];
}
