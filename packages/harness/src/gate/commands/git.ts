/** Which lines may write to `.git`: those made of git's own commands. */

import type { Word } from "../shell/word.ts";
import { skipGlobalOptions } from "./options.ts";
import { words as list } from "../../word-list.ts";

/** "beside": it does nothing to files, and is often found next to git: `git commit -m "$(cat <<'EOF'`. */
export type GitRole = "writes" | "reads" | "beside";

/** They write to `.git`, reach no network, and run no program given among their words. */
const writing: ReadonlySet<string> = new Set(list`
  add am apply branch checkout cherry-pick clean commit gc merge mv notes prune rebase reflog reset restore revert rm
  stage stash switch tag
  commit-tree read-tree symbolic-ref update-index update-ref write-tree`);

/** Options of these that run a program, abbreviated or not. */
const running: Readonly<Record<string, RegExp>> = { rebase: /^(?:-[a-z]*x|--e)/ };

const beside: ReadonlySet<string> = new Set(list`cat cd echo printf pwd true :`);

/** `reads`: a rule that allows git's reading commands concerns it. Undefined for what has no place in such a line. */
export function gitRole(program: string, words: readonly Word[], reads: boolean): GitRole | undefined {
  if (program !== "git") return beside.has(program) ? "beside" : undefined;
  if (reads) return "reads";
  const [subcommand, ...rest] = skipGlobalOptions(program, words).rest;
  if (typeof subcommand !== "string" || !writing.has(subcommand)) return undefined;
  const runs = running[subcommand];
  return runs !== undefined && rest.some((word) => typeof word !== "string" || runs.test(word)) ? undefined : "writes";
}
