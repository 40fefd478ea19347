/** Words as a program would get them, or what can be said of them before bash has expanded them. */

import type { DoubleQuotedChild, Word as BashWord, WordPart } from "unbash";

export type Word = string | Unknown;

/** What only bash knows: it may become any text, and several words or none. */
export type Unknown = {
  /** Exactly one word: quoted, or a pattern that can only be one. */
  readonly single: boolean;
  /** It cannot begin with a dash, so it is no option. */
  readonly operand: boolean;
};

export const anything: Unknown = { single: false, operand: false };

/** The word once bash has taken quotes and escapes away; unknown where it would expand something. */
export function wordOf(word: BashWord): Word {
  if (word.text.startsWith("~")) return { single: true, operand: true };
  const { parts } = word;
  if (parts === undefined) return word.value;
  const texts = parts.map(textOf);
  if (texts.every((text) => text !== undefined)) return texts.join("");
  const splits = parts.some(maySplit);
  return { single: !splits && !parts.some(isPattern), operand: !splits && beginsAsOperand(parts[0]) };
}

/** A word that is known to begin so. */
export function beginningWith(start: string, rest: Word): Word {
  return typeof rest === "string" ? start + rest : { ...rest, operand: !start.startsWith("-") };
}

function textOf(part: WordPart): string | undefined {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return part.value;
    case "DoubleQuoted": {
      const texts = part.parts.map((child) => (child.type === "Literal" ? child.value : undefined));
      return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
    }
    case "CommandExpansion":
      // A number, whichever: `make -j$(nproc)`.
      return part.text === "$(nproc)" ? "1" : undefined;
    default:
      return undefined;
  }
}

function maySplit(part: WordPart): boolean {
  switch (part.type) {
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
      return true;
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.some(isListExpansion);
    case "BraceExpansion":
      return part.parts !== undefined || part.text.includes("$") || part.text.includes("`");
    default:
      return false;
  }
}

/** `"$@"` and `"${list[@]}"` stay several words between quotes. */
function isListExpansion(child: DoubleQuotedChild): boolean {
  return (child.type === "SimpleExpansion" || child.type === "ParameterExpansion") && child.text.includes("@");
}

function isPattern(part: WordPart): boolean {
  return part.type === "Glob" || part.type === "ExtendedGlob" || part.type === "BraceExpansion";
}

function beginsAsOperand(part: WordPart | DoubleQuotedChild | undefined): boolean {
  switch (part?.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return part.value !== "" && !part.value.startsWith("-");
    case "DoubleQuoted":
      return beginsAsOperand(part.parts[0]);
    case "ProcessSubstitution":
      return true;
    default:
      return false;
  }
}
