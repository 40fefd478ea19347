/**
 * Whether a rule concerns a command. Rules that allow are read strictly, rules that restrict are read widely: one dodged
 * by an equivalent spelling would be none.
 */

import type { Word } from "../shell/word.ts";
import { skipGlobalOptions } from "./options.ts";
import { isOption, type CommandRule } from "./rule.ts";

/** "possibly": a word that only the shell knows decides. */
export type Match = "no" | "possibly" | "yes";

/** The bare name of the program, then the very words of the rule, harmless global options aside. */
export function allows(rule: CommandRule, program: string, words: readonly Word[]): boolean {
  if (!isProgram(rule, program)) return false;
  return [words, skipGlobalOptions(program, words).rest].some((rest) => {
    if (rule.exact && rest.length !== rule.words.length) return false;
    return rule.words.every((_, index) => {
      const given = rest[index];
      return typeof given === "string" && isWord(rule, index, given);
    });
  });
}

/**
 * The program by its base name in any letter case; the operands of the rule in their order, with options and their
 * values passed over; its options anywhere, bundled or abbreviated.
 */
export function restricts(rule: CommandRule, program: string, words: readonly Word[]): Match {
  const name = baseName(program);
  if (!isProgram({ ...rule, program: baseName(rule.program) }, name)) return "no";
  const { rest } = skipGlobalOptions(name, words);
  const among = optionsFirst.has(name) ? words.slice(0, firstOperand(words)) : words;
  return weaker(
    operandsMatch(rule, rest),
    [...rule.words.entries()]
      .filter(([, word]) => isOption(word))
      .reduce<Match>((match, [index]) => weaker(match, optionMatches(rule, index, among)), "yes"),
  );
}

/** They take no option behind the first operand: `printf '%s' "$x"` sets no variable, whatever `$x` is. */
const optionsFirst: ReadonlySet<string> = new Set(["printf"]);

function firstOperand(words: readonly Word[]): number {
  const at = words.findIndex((word) => typeof word === "string" && (!word.startsWith("-") || word === "--"));
  return at === -1 ? words.length : at;
}

/** As file systems without letter case would find it; Windows' own spelling is the same program. */
export function baseName(program: string): string {
  return program
    .slice(program.lastIndexOf("/") + 1)
    .toLowerCase()
    .replace(/\.exe$/, "");
}

function isProgram({ program, words, open }: CommandRule, given: string): boolean {
  if (program === "*") return true;
  return open && words.length === 0 ? given.startsWith(program) : given === program;
}

function isWord({ words, open }: CommandRule, index: number, given: string): boolean {
  const word = words[index] ?? "";
  return open && index === words.length - 1 ? given.startsWith(word) : given === word;
}

function operandsMatch(rule: CommandRule, words: readonly Word[]): Match {
  const wanted = [...rule.words.entries()].filter(([, word]) => !isOption(word)).map(([index]) => index);
  if (wanted.length === 0) return "yes";
  // Whether the next word is the value of the option before it is not known, so both readings are followed.
  let reached = new Set([0]);
  let afterOption = false;
  for (const word of words) {
    if (typeof word !== "string") return "possibly";
    if (word.startsWith("-") && word.length > 1) {
      afterOption = word !== "--" && !word.includes("=");
      continue;
    }
    const next = new Set(afterOption ? reached : []);
    for (const count of reached) {
      if (isWord(rule, wanted[count] ?? -1, word)) next.add(count + 1);
    }
    if (next.has(wanted.length)) return "yes";
    if (next.size === 0) return "no";
    reached = next;
    afterOption = false;
  }
  return "no";
}

function optionMatches(rule: CommandRule, index: number, words: readonly Word[]): Match {
  const option = rule.words[index] ?? "";
  const spelt = (word: string): boolean => isSpelling(option, word) || isWord(rule, index, word);
  if (words.some((word) => typeof word === "string" && spelt(word))) return "yes";
  const mayBe = (word: Word): boolean => typeof word !== "string" && (!word.operand || option.endsWith("="));
  return words.some(mayBe) ? "possibly" : "no";
}

/** `-A` within `-vA`; `--output` as `--output=x` or `--outp`; `-exec` as `--exec`, too. */
function isSpelling(option: string, word: string): boolean {
  if (option.endsWith("=")) return word.startsWith(option);
  if (!word.startsWith("-") || word === "-" || word === "--") return false;
  const [name = ""] = word.split("=", 1);
  if (option.length === 2)
    return name === option || (!name.startsWith("--") && letters(name).includes(option.slice(1)));
  if (option.startsWith("--")) return name.startsWith("--") && option.startsWith(name);
  return name === option || name === `-${option}`;
}

/** The letters that may be flags bundled behind one dash. */
function letters(name: string): string {
  return /^-([A-Za-z0-9]*)/.exec(name)?.[1] ?? "";
}

function weaker(a: Match, b: Match): Match {
  const order: readonly Match[] = ["no", "possibly", "yes"];
  return order[Math.min(order.indexOf(a), order.indexOf(b))] ?? "no";
}
