/** Every part of a command with what the rules say of it, commands within commands included. */

import type { CommandLine } from "../command.ts";
import type { Dialect } from "../shell/hazards.ts";
import { shellParts, type ShellPart } from "../shell/parts.ts";
import type { Word } from "../shell/word.ts";
import { decide } from "./decide.ts";
import { gitRole, type GitRole } from "./git.ts";
import { judgeTarget } from "./redirect.ts";
import { judgeVariable, namesSet, type Variable } from "./variables.ts";
import type { CommandRule } from "./rule.ts";
import { isLauncher, unwrap, type Unwrapped } from "./unwrap.ts";

/** A part of a command as it was given, and which rule decides about it, in words. */
export type CommandPart = { text: string; decision: CommandRule["decision"]; rule: string };

/** `git`: what it is to a line that may write to `.git`; undefined for what has no place there. */
export type Examined = CommandPart & { git?: GitRole | undefined };

/** Of commands that hold commands that hold commands. */
const maxDepth = 8;
/** What a person would take for a name; `[` is one, too. */
const plainName = /^(?:[\w./+@:-]+|\[)$/;

/** An outer command stands before those within it. Never empty, never throws. */
export function examine(command: CommandLine, rules: readonly CommandRule[]): readonly Examined[] {
  if (typeof command === "string") {
    const parts = ofScript(command, "bash", { rules, depth: 0 });
    return parts.length > 0 ? parts : [asking(command, "there is no command in it")];
  }
  const [program, ...words] = command;
  const text = command.join(" ");
  const isCommand = program !== undefined && !text.includes("\0");
  return isCommand ? ofCommand(text, [program, ...words], { rules, depth: 0 }) : [asking(text, "it is no command")];
}

type Context = { rules: readonly CommandRule[]; depth: number };

function ofScript(text: string, dialect: Dialect, context: Context): readonly Examined[] {
  if (context.depth > maxDepth) return [asking(text, "it is nested too deeply")];
  return shellParts(text, dialect).flatMap((part) => ofPart(part, context));
}

function ofPart(part: ShellPart, context: Context): readonly Examined[] {
  const { text } = part;
  switch (part.kind) {
    case "command":
      return ofCommand(text, part.words, context);
    case "variable":
      return unlessAllowed(text, judgeVariable(part.name, part.exported));
    case "redirect":
      return unlessAllowed(text, judgeTarget(part.target, part.writes));
    default:
      return unlessAllowed(text, part.hazard);
  }
}

function ofCommand(text: string, [program, ...words]: readonly Word[], context: Context): readonly Examined[] {
  if (typeof program !== "string") return [asking(text, "which program it runs is known only when it runs")];
  if (!plainName.test(program)) return [asking(text, "the name of its program is unusual")];
  const decided = decide(program, words, context.rules);
  const within = unwrap(program, words);
  if (within !== undefined && "opaque" in within) {
    const isDenied = decided?.decision === "deny";
    return [isDenied ? { text, decision: "deny", rule: decided.rule } : asking(text, within.opaque)];
  }
  const inner = within === undefined ? [] : ofWithin(text, within, { ...context, depth: context.depth + 1 });
  const { decision, rule } = decided ?? undecided(program, inner.length > 0 && !isLauncher(program));
  const git = gitRole(program, words, decided?.by.source === "default" && decision === "allow");
  return [{ text, decision, rule, git }, ...ofNames(text, program, words), ...inner];
}

function ofWithin(
  text: string,
  { commands, scripts, variables }: Exclude<Unwrapped, { opaque: string }>,
  context: Context,
): readonly Examined[] {
  if (context.depth > maxDepth) return [asking(text, "it is nested too deeply")];
  return [
    ...variables.flatMap((name) => unlessAllowed(text, judgeVariable(name, true))),
    ...commands.flatMap((words) => ofCommand(textOf(words), words, context)),
    ...scripts.flatMap(({ text, dialect }) => ofScript(text, dialect, context)),
  ];
}

/** The variables that `export` and `read` set. */
function ofNames(text: string, program: string, words: readonly Word[]): readonly Examined[] {
  return namesSet(program, words).flatMap((name) =>
    unlessAllowed(
      text,
      typeof name === "string"
        ? judgeVariable(name, program === "export")
        : { decision: "ask", why: "which variables it sets is not known" },
    ),
  );
}

/** A wrapper by its bare name is no more than what it runs. */
function undecided(program: string, wraps: boolean): Pick<CommandPart, "decision" | "rule"> {
  return wraps && !program.includes("/")
    ? { decision: "allow", rule: "what it runs decides" }
    : { decision: "unlisted", rule: "no rule is about it" };
}

function unlessAllowed(text: string, { decision, why }: Variable): readonly Examined[] {
  return decision === "allow" ? [] : [{ text, decision, rule: why }];
}

function asking(text: string, rule: string): Examined {
  return { text, decision: "ask", rule };
}

function textOf(words: readonly Word[]): string {
  return words.map((word) => (typeof word === "string" ? word : "…")).join(" ");
}
