/** Options that stand before a subcommand and change nothing about what it may do. */

import type { Word } from "../shell/word.ts";

type GlobalOptions = {
  readonly flags: readonly string[];
  /** Those whose value is the next word, or stands behind `=`. */
  readonly valued: readonly string[];
  /** What any other option before the subcommand is: git has some that run programs. */
  readonly others: "unlisted" | "ask";
};

const globalOptions: Readonly<Record<string, GlobalOptions>> = {
  git: {
    flags: ["--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs", "--glob-pathspecs", "--icase-pathspecs"],
    valued: ["-C"],
    others: "ask",
  },
  npm: {
    flags: ["-s", "--silent", "-q", "--quiet", "-ws", "--workspaces", "--if-present"],
    valued: ["-w", "--workspace", "--prefix", "--loglevel"],
    others: "unlisted",
  },
  pnpm: {
    flags: ["-s", "--silent", "-r", "--recursive", "-w", "--workspace-root", "--if-present"],
    valued: ["-F", "--filter", "-C", "--dir", "--loglevel"],
    others: "unlisted",
  },
  yarn: { flags: ["-s", "--silent"], valued: ["--cwd"], others: "unlisted" },
  cargo: {
    flags: ["-q", "--quiet", "-v", "--verbose", "--offline", "--locked", "--frozen"],
    valued: ["--color"],
    others: "unlisted",
  },
  go: { flags: [], valued: ["-C"], others: "unlisted" },
  make: { flags: ["-s", "--silent", "-k", "--keep-going"], valued: [], others: "unlisted" },
  docker: { flags: ["-D", "--debug"], valued: ["-l", "--log-level", "-c", "--context"], others: "unlisted" },
  kubectl: { flags: [], valued: ["-n", "--namespace", "--context", "--request-timeout"], others: "unlisted" },
};

export type Skipped = {
  /** From the subcommand on, or from the option that is not known. */
  readonly rest: readonly Word[];
  /** The option in the way that is always a question. */
  readonly question: string | undefined;
};

/** `words` are those behind the program. */
export function skipGlobalOptions(program: string, words: readonly Word[]): Skipped {
  const known = Object.hasOwn(globalOptions, program) ? globalOptions[program] : undefined;
  if (known === undefined) return { rest: words, question: undefined };
  let at = 0;
  for (let length = lengthOf(words, known); length > 0; length = lengthOf(words.slice(at), known)) at += length;
  const rest = words.slice(at);
  const next = rest[0];
  const inTheWay = typeof next === "string" && next.startsWith("-") && !describesItself.has(next);
  return { rest, question: inTheWay && known.others === "ask" ? next : undefined };
}

const describesItself: ReadonlySet<string> = new Set(["--version", "-v", "--help", "-h"]);

/** How many words the known option at the start takes; 0 where there is none. */
function lengthOf([word, value]: readonly Word[], { flags, valued }: GlobalOptions): number {
  if (typeof word !== "string") return 0;
  if (flags.includes(word)) return 1;
  if (valued.includes(word)) return typeof value === "string" || value?.single === true ? 2 : 0;
  return valued.some((option) => option.startsWith("--") && word.startsWith(`${option}=`)) ? 1 : 0;
}
