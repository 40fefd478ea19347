/** Rules about commands: a program and the words it begins with. */

import { parse, type Command, type Word as BashWord } from "unbash";
import { Failure } from "../../error.ts";
import { wordOf } from "../shell/word.ts";

export type CommandRule = {
  /** "*" is any program. */
  readonly program: string;
  /** Operands and options as written; the option words of a rule that restricts hold wherever they stand. */
  readonly words: readonly string[];
  /** The last word, or the program where there are none, stands for all that begin so: `npm run test*`. */
  readonly open: boolean;
  /** Nothing may follow. */
  readonly exact: boolean;
  readonly decision: "allow" | "unlisted" | "ask" | "deny";
  /** Where a word that only the shell knows could make it match. */
  readonly possibly: "unlisted" | "ask";
  readonly source: "user" | "default";
};

export type CommandRules = {
  readonly allow?: readonly string[] | undefined;
  readonly ask?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
};

const lists = ["deny", "ask", "allow"] as const;

/** Throws E_BAD_RULE that names every rule which is no plain command: a program, then words, then perhaps a `*`. */
export function userRules(given: CommandRules): readonly CommandRule[] {
  const read = lists.flatMap((decision) =>
    (given[decision] ?? []).map((text: unknown) => ({ decision, text, words: wordsOf(text) })),
  );
  const bad = read.filter(({ words }) => words === undefined);
  if (bad.length > 0) {
    const named = bad.map(({ decision, text }) => `${JSON.stringify(text)} (${decision})`).join(", ");
    throw new Failure("E_BAD_RULE", `No rule about commands: ${named}.`, {
      remedy: "Write a program and the words it begins with, such as `git push` or `npm run lint`.",
    });
  }
  return read.map(({ decision, words = [] }) => ruleOf(words, { decision, possibly: "ask", source: "user" }));
}

/** A rule from its words; a `*` at the end of the last one is taken as "whatever begins so". */
export function ruleOf(
  [program = "*", ...words]: readonly string[],
  kind: Pick<CommandRule, "decision" | "possibly" | "source"> & { exact?: boolean },
): CommandRule {
  const last = words.at(-1) ?? program;
  // `git push *` says no more than `git push`.
  if (last === "*" && words.length > 0) return ruleOf([program, ...words.slice(0, -1)], kind);
  const open = last.length > 1 && last.endsWith("*");
  const cut = (word: string): string => (open ? word.slice(0, -1) : word);
  return {
    exact: false,
    ...kind,
    open,
    program: words.length === 0 ? cut(program) : program,
    words: [...words.slice(0, -1), ...words.slice(-1).map(cut)],
  };
}

/** As a user would write it. */
export function ruleText({ program, words, open }: CommandRule): string {
  return [program, ...words].join(" ") + (open ? "*" : "");
}

/** Options, and assignments as make takes them, may stand anywhere in a command. */
export function isOption(word: string): boolean {
  return (word.startsWith("-") && word.length > 1) || word.endsWith("=");
}

function wordsOf(text: unknown): readonly string[] | undefined {
  if (typeof text !== "string" || /^\d*$/.test(text.trim())) return undefined;
  const { commands, errors } = parse(text);
  const command = commands[0]?.command;
  const isOne = errors === undefined && commands.length === 1 && command?.type === "Command";
  if (!isOne || text.trimEnd().length > command.end) return undefined;
  const words = argumentsOf(command)?.map((word, index, all) => ruleWord(word, index === all.length - 1));
  return words?.every((word) => word !== undefined) && words.length > 0 ? words : undefined;
}

function argumentsOf({ name, prefix, suffix }: Command): readonly BashWord[] | undefined {
  if (name === undefined || prefix.length > 0) return undefined;
  const words = suffix.filter((part) => part.type === "Word");
  return words.length === suffix.length ? [name, ...words] : undefined;
}

/** Of patterns only a star at the very end has a meaning. */
function ruleWord(word: BashWord, isLast: boolean): string | undefined {
  const known = wordOf(word);
  if (typeof known === "string") return known.includes("*") || known === "" ? undefined : known;
  return isLast && /^[^*?[\]{}$`"'\\()<>~]*\*$/.test(word.text) ? word.text : undefined;
}
