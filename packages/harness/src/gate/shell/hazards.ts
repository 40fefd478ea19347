/** What in a shell text may run more than its commands show, or reads otherwise in another shell. */

import type { SyntaxNode, Word as BashWord } from "unbash";

/** Which shell will read the text: `sh` may be dash, where `[[ a && rm x ]]` runs rm. */
export type Dialect = "bash" | "sh";

export type Hazard = { decision: "ask" | "unlisted"; why: string };

const unknown: Hazard = { decision: "ask", why: "this part of the shell's language is not judged" };
const dataAsCode: Hazard = { decision: "ask", why: "text from a variable is read as code" };
const arithmetic: Hazard = { decision: "unlisted", why: "arithmetic on more than numbers may run what they hold" };
const defined: Hazard = { decision: "unlisted", why: "it defines something for later commands" };
const otherShell: Hazard = { decision: "ask", why: "sh may read this otherwise than bash" };
const cutShort: Hazard = { decision: "ask", why: "it is no complete shell text" };

type NodeType = SyntaxNode["type"];

const commands = ["Script", "Statement", "CompoundList", "AndOr", "Pipeline", "Time", "Negation", "Command"] as const;
const compounds = ["Subshell", "BraceGroup", "If", "Elif", "For", "While", "Case", "CaseItem"] as const;
const redirects = ["Redirected", "Redirect", "HereDoc", "HereDocBody", "HereDocDelimiter", "FileDescriptor"] as const;
const texts = ["Word", "Literal", "Glob", "SingleQuoted", "DoubleQuoted", "SimpleExpansion"] as const;
const operations = ["Default", "Remove", "Replace", "CaseModification", "Names"] as const;
const arithmetics = ["ArithmeticBinary", "ArithmeticUnary", "ArithmeticTernary", "ArithmeticGroup"] as const;

/** They do no more than what is within them. */
const plain: ReadonlySet<NodeType> = new Set<NodeType>([
  ...commands,
  ...compounds,
  ...redirects,
  ...texts,
  ...operations,
  ...arithmetics,
]);

const bashWords = ["ArrayValue", "AnsiCQuoted", "LocaleString", "BraceExpansion", "ProcessSubstitution"] as const;
const bashTests = ["TestCommand", "TestUnary", "TestBinary", "TestLogical", "TestNot", "TestGroup"] as const;
const bashCommands = ["HereString", "Select", "ArithmeticCommand", "ArithmeticFor", "FileDescriptorVariable"] as const;

/** Likewise, in bash alone. */
const plainInBash: ReadonlySet<NodeType> = new Set<NodeType>([...bashWords, ...bashTests, ...bashCommands]);

const comparesNumbers = /^-(?:eq|ne|lt|le|gt|ge)$/;
const isNumber = /^(?:\d+|0[xX][\da-fA-F]+)$/;

/** Undefined where it does no more than what is within it. Fails closed: a node that stands nowhere here asks. */
export function hazardOf(node: SyntaxNode, dialect: Dialect): Hazard | undefined {
  if (dialect === "sh" && plainInBash.has(node.type)) return otherShell;
  switch (node.type) {
    case "Script":
      return node.errors === undefined || node.errors.length === 0 ? undefined : cutShort;
    case "Function":
    case "Coproc":
      return defined;
    case "Assignment":
      return node.index === undefined || isIndex(node.index) ? undefined : arithmetic;
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      return node.script === undefined ? unknown : undefined;
    case "ParameterExpansion":
      if (node.prefix === "!") return dataAsCode;
      return node.index === undefined || isIndex(node.index) ? undefined : arithmetic;
    case "Transform":
      return dataAsCode;
    case "Slice":
      return [node.offset, node.length].every((word) => word === undefined || isNumber.test(word.text))
        ? undefined
        : arithmetic;
    case "ArithmeticExpansion":
    case "ArithmeticCommand":
      return node.expression === undefined ? unknown : undefined;
    case "ArithmeticWord":
      return isNumber.test(node.value) ? undefined : arithmetic;
    case "TestUnary":
      return node.operator === "-v" || node.operator === "-R" ? arithmetic : undefined;
    case "TestBinary":
      return comparesNumbers.test(node.operator) && ![node.left, node.right].every((side) => isNumber.test(side.text))
        ? arithmetic
        : undefined;
    default:
      return plain.has(node.type) || plainInBash.has(node.type) ? undefined : unknown;
  }
}

function isIndex(word: BashWord): boolean {
  return isNumber.test(word.text) || word.text === "@" || word.text === "*";
}
