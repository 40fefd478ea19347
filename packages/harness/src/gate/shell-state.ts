/**
 * What one line of a shell leaves to the next, and what it does to the rules about commands: a line means what it says
 * only where nothing before it has given its names another meaning.
 */

import type { CommandVerdict } from "./command.ts";
import { judgeVariable } from "./commands/variables.ts";

export type Definition = {
  kind: "variable" | "unset" | "function" | "alias" | "trap" | "option" | "setting" | "umask" | "arguments";
  /** Code for bash that makes it so, as bash itself wrote it. */
  code: string;
};

export type ShellState = {
  /** The folder it is in, relative to the root. */
  folder: string;
  /** Absolute, where it is in none of the project. */
  elsewhere?: string | undefined;
  /** The folder that `cd -` leads to. */
  before?: string | undefined;
  /** The exit code of its last line. */
  status: number;
  /** In the order in which they have to be made. */
  definitions: readonly Definition[];
};

/** A shell that was just started. */
export const newShell: ShellState = Object.freeze({ folder: ".", status: 0, definitions: [] });

/**
 * What to take a line for in such a shell. One in which a name may mean something else is for a person to judge, or for
 * whoever said yes to all that no rule knows: no rule that allows holds in it, nor may it write to `.git`.
 */
export function verdictIn(state: ShellState, verdict: CommandVerdict): CommandVerdict {
  const change = changeIn(state);
  if (change === undefined) return verdict;
  if (verdict.decision !== "allow") return { ...verdict, profile: "plain" };
  return {
    decision: "unlisted",
    rule: `in this shell ${change}, so that a line may do other than it says`,
    profile: "plain",
  };
}

/** What has changed in a shell so that names may mean something else, in words; undefined where nothing has. */
export function changeIn({ elsewhere, definitions }: ShellState): string | undefined {
  if (elsewhere !== undefined) return `the folder is ${elsewhere}, outside the project`;
  for (const definition of definitions) {
    const change = changes[definition.kind](definition.code);
    if (change !== undefined) return change;
  }
  return undefined;
}

/** `"…"` and `$'…'` as bash writes values: nothing in them is expanded. */
const value = String.raw`(?:"[^"\\$\x60]*(?:\\["\\$\x60][^"\\$\x60]*)*"|\$'[^'\\]*(?:\\[^][^'\\]*)*')`;
const list = String.raw`\((?:\[\d+\]=${value} ?)*\)`;
const plainVariable = new RegExp(`^declare -([-aAx]+) (\\w+)(?:=(?:${value}|${list}))?$`);
const harmlessOption = /^set [-+]o (?:errexit|nounset|pipefail|xtrace)$/;
/** As `printf %q` writes them. */
const plainArguments = /^set --(?: (?:[\p{L}\p{N}_@%+=:,./^-]|\\.|\$'(?:[^'\\]|\\[^])*'|'')*)*$/u;

type Change = (code: string) => string | undefined;

/** Fails closed: what is not recognised is a change. */
const changes: Readonly<Record<Definition["kind"], Change>> = {
  variable(code) {
    const [, attributes = "", name = "a variable"] = plainVariable.exec(code) ?? [];
    if (attributes === "") return "a variable has a value or an attribute that is not plain";
    return unlessHarmless(name, attributes.includes("x"), "is set");
  },
  unset: (code) => unlessHarmless(/^unset -v (\w+)$/.exec(code)?.[1] ?? "", true, "is unset"),
  option: (code) => (harmlessOption.test(code) ? undefined : `\`${code}\` is in force`),
  setting: (code) => `\`${code}\` is in force`,
  function: () => "functions are defined",
  alias: () => "aliases are defined",
  trap: () => "traps are set",
  umask: (code) => (/^umask [0-7]{3,4}$/.test(code) ? undefined : "the umask is not plain"),
  arguments: (code) => (plainArguments.test(code) ? undefined : "an argument is not plain"),
};

function unlessHarmless(name: string, exported: boolean, how: string): string | undefined {
  return judgeVariable(name, exported).decision === "allow" ? undefined : `\`${name}\` ${how}`;
}
