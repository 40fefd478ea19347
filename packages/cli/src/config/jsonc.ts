/** JSON with comments, read strictly: every mistake has a line and a column, and a key that stands twice is one. */

import {
  createScanner,
  findNodeAtLocation,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser";

/** Counted from 1. */
export type Position = { line: number; column: number };
export type Problem = Position & { message: string };
export type Path = readonly (string | number)[];

export type Document = {
  value: unknown;
  /** Where a value stands, or the nearest one around it; with `key`, where its key does. */
  positionOf: (path: Path, what?: "key") => Position;
};

/** Deeper than any setting, and not deep enough to exhaust the parser. */
const depthMost = 20;

/** Comments, commas behind a last element and a byte order mark are welcome; an empty text is an empty object. */
export function parseJsonc(text: string): { document: Document } | { problems: readonly Problem[] } {
  const content = text.replace(/^\ufeff/, "");
  const at = positions(content);
  const deep = firstTooDeep(content);
  if (deep !== undefined) return { problems: [{ ...at(deep), message: `Nested more than ${depthMost} deep.` }] };

  const errors: ParseError[] = [];
  const root = parseTree(content, errors, { allowTrailingComma: true, allowEmptyContent: true });
  if (errors.length > 0) {
    return { problems: errors.map(({ error, offset }) => ({ ...at(offset), message: `${spoken(error)}.` })) };
  }
  const twice: Problem[] = [];
  const value =
    root === undefined
      ? {}
      : valueOf(root, (node, key) => {
          twice.push({ ...at(node.offset), message: `${JSON.stringify(key)} stands here a second time.` });
        });
  if (twice.length > 0) return { problems: twice };
  return { document: { value, positionOf: (path, what) => at(offsetOf(root, path, what)) } };
}

/** Own properties only, whatever they are called: a key `__proto__` is a key like others. */
function valueOf(node: Node, onTwice: (node: Node, key: string) => void): unknown {
  if (node.type === "array") return (node.children ?? []).map((child) => valueOf(child, onTwice));
  if (node.type !== "object") return node.value;
  const entries = new Map<string, unknown>();
  for (const { children: [key, value] = [] } of node.children ?? []) {
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    if (entries.has(name)) onTwice(key, name);
    entries.set(name, valueOf(value, onTwice));
  }
  return Object.fromEntries(entries);
}

function offsetOf(root: Node | undefined, path: Path, what: "key" | undefined): number {
  if (root === undefined) return 0;
  for (let length = path.length; length >= 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node === undefined) continue;
    const key = what === "key" && length === path.length ? node.parent?.children?.[0] : undefined;
    return (key ?? node).offset;
  }
  return root.offset;
}

function firstTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  for (let depth = 0; scanner.getPosition() < text.length;) {
    scanner.scan();
    const sign = text.charAt(scanner.getTokenOffset()); // of a string it is the quote
    if ("{[".includes(sign)) depth += 1;
    if ("}]".includes(sign)) depth -= 1;
    if (depth > depthMost) return scanner.getTokenOffset();
  }
  return undefined;
}

function positions(text: string): (offset: number) => Position {
  return (offset) => {
    const before = text.slice(0, offset);
    const line = before.split("\n").length;
    return { line, column: offset - before.lastIndexOf("\n") };
  };
}

/** `CloseBraceExpected` becomes "Close brace expected". */
function spoken(error: ParseError["error"]): string {
  const words = printParseErrorCode(error).replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.startsWith("<") ? "Not JSON" : words;
}
