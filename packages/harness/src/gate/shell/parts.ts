/** A shell text taken apart: every command in it, wherever it stands, and all else that has an effect. */

import { forEachChild, parse, type Assignment, type Command, type Redirect, type SyntaxNode } from "unbash";
import { messageOf } from "../../error.ts";
import { hazardOf, type Dialect, type Hazard } from "./hazards.ts";
import { anything, beginningWith, wordOf, type Word } from "./word.ts";

/** `text` is the part as it stands in the shell text. */
export type ShellPart = { text: string } & (
  | { kind: "command"; words: readonly Word[] }
  /** `exported`: it goes to a program's environment. */
  | { kind: "variable"; name: string; exported: boolean }
  | { kind: "redirect"; writes: boolean; target: Word }
  | { kind: "hazard"; hazard: Hazard }
);

const maxLength = 20_000;
const maxCommands = 50;
/** Bash passes all but line feed and tab on as part of a word; a person does not see them. */
const control = /[\u0000-\u0008\u000b-\u001f\u007f]/u;

/** In the order of the text, an outer command before those within it. Never throws: what cannot be read is a hazard. */
export function shellParts(text: string, dialect: Dialect): readonly ShellPart[] {
  if (text.length > maxLength) return [asking(text, `it has over ${maxLength} characters`)];
  if (control.test(text)) return [asking(text, "it has control characters")];
  const parts: ShellPart[] = [];
  try {
    collect(parse(text), { source: text, dialect, parts });
  } catch (thrown) {
    return [asking(text, `it cannot be parsed: ${messageOf(thrown)}`)];
  }
  const commands = parts.filter(({ kind }) => kind === "command").length;
  return commands > maxCommands ? [asking(text, `it has over ${maxCommands} commands`), ...parts] : parts;
}

type Walk = { source: string; dialect: Dialect; parts: ShellPart[] };

function collect(node: SyntaxNode, walk: Walk): void {
  const within = node.type === "Script" && node.source !== undefined ? { ...walk, source: node.source } : walk;
  const text = within.source.slice(node.pos, node.end);
  const hazard = hazardOf(node, walk.dialect);
  if (hazard !== undefined) walk.parts.push({ kind: "hazard", text, hazard });
  if (node.type === "Command" && isFollowedByParenthesis(within.source, node.end)) {
    walk.parts.push(asking(text, "it is no complete shell text"));
  }
  for (const part of effectsOf(node)) walk.parts.push({ ...part, text });
  forEachChild(node, (child) => collect(child, within));
}

/** The parser passes over a parenthesis behind a word, which bash takes for a mistake. */
function isFollowedByParenthesis(source: string, end: number): boolean {
  const parenthesis = /(?:[ \t]|\\\n)*\(/y;
  parenthesis.lastIndex = end;
  return parenthesis.test(source);
}

type Effect = ShellPart extends infer Part ? (Part extends ShellPart ? Omit<Part, "text"> : never) : never;

function effectsOf(node: SyntaxNode): readonly Effect[] {
  switch (node.type) {
    case "Command":
      return effectsOfCommand(node);
    case "Redirect":
      return [redirection(node)];
    case "For":
    case "Select":
      return [{ kind: "variable", name: node.name.value, exported: false }];
    case "FileDescriptorVariable":
      return [{ kind: "variable", name: node.name, exported: false }];
    case "ParameterExpansion":
      return node.operation?.type === "Default" && node.operation.operator.endsWith("=")
        ? [{ kind: "variable", name: node.parameter, exported: false }]
        : [];
    default:
      return [];
  }
}

function effectsOfCommand({ name, prefix, args }: Command): readonly Effect[] {
  const variables = prefix
    .filter((part): part is Assignment => part.type === "Assignment")
    .map((part): Effect => ({ kind: "variable", name: part.name, exported: name !== undefined }));
  if (name === undefined) return variables;
  const words = [wordOf(name), ...args.map((arg) => (arg.type === "Assignment" ? assigned(arg) : wordOf(arg)))];
  return [{ kind: "command", words }, ...variables];
}

/** As `export a=b` has it among its words. */
function assigned({ name, value, index }: Assignment): Word {
  return index === undefined && value.type === "Word" ? beginningWith(`${name}=`, wordOf(value)) : anything;
}

function redirection({ operator, target }: Redirect): Effect {
  const to = target === undefined ? anything : wordOf(target);
  // `2>&1` and `>&-` name descriptors; `>& file` writes.
  const descriptor = operator === ">&" && typeof to === "string" && /^(?:\d+-?|-)$/.test(to);
  return { kind: "redirect", writes: operator !== "<" && operator !== "<&" && !descriptor, target: to };
}

function asking(text: string, why: string): ShellPart {
  return { kind: "hazard", text, hazard: { decision: "ask", why } };
}
