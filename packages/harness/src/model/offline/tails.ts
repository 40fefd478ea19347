/** What follows a name decides what it is, and how far it goes: signatures, bodies, values. */

import type { Language, Rule } from "./language.ts";

export type Tail = {
  /** Offset behind the body, or behind what there is instead. */
  end: number;
  /** It has no body where it could have one. */
  declared?: true | undefined;
  /** Set where the value says what the name is: a function, a class. */
  kind?: string | undefined;
  scope?: Rule["scope"];
};

/** Where a match starts, and where what follows its name begins. */
export type Place = { start: number; from: number };

/** The farthest a signature or a value is followed, in characters: broken code must not cost more. */
const reach = 20_000;

/** The tail of a rule's match; undefined: it is not what the rule describes after all. Offsets are into `code`. */
export function tailOf(code: string, language: Language, rule: Rule, place: Place): Tail | undefined {
  const { from } = place;
  switch (rule.tail) {
    case "signature":
      return signature(code, language, rule, place);
    case "body":
      return body(code, from);
    case "block":
      if (language.blocks === "indent") return { end: dedent(code, place.start, afterBrackets(code, from) ?? from) };
      return { end: blockAfter(code, from)?.end ?? from };
    case "value":
    case "entry":
      return value(code, rule, from);
    case "lines":
      return { end: from + (/^(?:.*\\\n)*.*/.exec(code.slice(from, from + reach))?.[0].length ?? 0) };
    default:
      return { end: code[from] === "(" ? (closeOf(code, from) ?? code.length) : from };
  }
}

/** `name<T>(…)`, then a body or not. An unclosed list counts where the rule names nothing that must follow. */
function signature(code: string, language: Language, rule: Rule, place: Place): Tail | undefined {
  const open = skipTypeParameters(code, place.from);
  if (code[open] !== "(") return undefined;
  const close = closeOf(code, open);
  if (close === undefined) return rule.after === undefined ? { end: code.length } : undefined;
  if (rule.after !== undefined && !matchesAt(rule.after, code, close)) return undefined;
  if (language.blocks === "indent") return { end: dedent(code, place.start, close) };
  const block = blockAfter(code, close);
  return block === undefined ? { end: close, declared: true } : { end: block.end };
}

/** `struct name {`, `class name : base {`, `mod name;`; anything else only uses the name. */
function body(code: string, from: number): Tail | undefined {
  const at = skipTypeParameters(code, from);
  if (code[at] === ";") return { end: at, declared: true };
  if (!/^(?:\{|:[^:]|final\b)/.test(code.slice(at, at + 6))) return undefined;
  const block = blockAfter(code, at);
  return block === undefined ? undefined : { end: block.end };
}

/** A value: a function or class there gives the name its kind. */
function value(code: string, rule: Rule, from: number): Tail {
  const start = skipTypeParameters(code, from);
  const assigned = rule.tail === "entry" ? /^\s*:\s*/ : /^!?(?:\s*:[^=;\n]*(?:=>[^=;\n]*)*)?\s*=(?![=>])\s*/;
  const sign = assigned.exec(code.slice(start, start + reach));
  if (sign === null) return { end: from };
  const at = start + sign[0].length;
  const kind = rule.scope === "other" ? valueKind(code, at) : undefined;
  if (kind === undefined) return { end: statementEnd(code, at) };
  if (kind === "class") return { end: blockAfter(code, at)?.end ?? at, kind, scope: "type" };
  return { end: statementEnd(code, at), kind: rule.kind.endsWith("variable") ? kind : "method", scope: "function" };
}

function valueKind(code: string, at: number): "function" | "class" | undefined {
  const head = /^(?:async\b\s*)?(?:(?<function>function\b|[\w$]+\s*=>)|(?<class>class\b)|[<(])/.exec(
    code.slice(at, at + 200),
  );
  if (head === null) return undefined;
  if (head.groups?.["function"] !== undefined) return "function";
  if (head.groups?.["class"] !== undefined) return "class";
  const open = skipTypeParameters(code, at + head[0].length - 1);
  const close = code[open] === "(" ? closeOf(code, open) : undefined;
  return close !== undefined && matchesAt("\\s*(?::[^;]{0,300}?)?=>", code, close) ? "function" : undefined;
}

/**
 * The block that follows a signature: the first brace that is not part of a type (`(): { a: string } {`), or undefined
 * where a semicolon or a closing bracket comes first.
 */
function blockAfter(code: string, from: number): { end: number } | undefined {
  const stop = /[([{;)\]}]/g;
  stop.lastIndex = from;
  for (let hit = stop.exec(code); hit !== null && hit.index < from + reach; hit = stop.exec(code)) {
    if (!"([{".includes(hit[0])) return undefined;
    const end = closeOf(code, hit.index) ?? code.length;
    if (hit[0] === "{" && !isTypeLiteral(code, hit.index, end)) return { end };
    stop.lastIndex = end;
  }
  return undefined;
}

function isTypeLiteral(code: string, open: number, end: number): boolean {
  const before =
    code
      .slice(Math.max(0, open - 80), open)
      .trimEnd()
      .at(-1) ?? "";
  return ":<|&".includes(before || " ") || /^\s*(?:[{>|&]|\[\])/.test(code.slice(end, end + 80));
}

/** Behind the statement that goes on at `from`: a semicolon, a comma, a closing bracket or a line break ends it. */
function statementEnd(code: string, from: number): number {
  const stop = /[([{;,)\]}\n]/g;
  stop.lastIndex = from;
  for (let hit = stop.exec(code); hit !== null; hit = stop.exec(code)) {
    if ("([{".includes(hit[0])) {
      stop.lastIndex = closeOf(code, hit.index) ?? code.length;
    } else if (hit[0] !== "\n" || !continues(code, hit.index)) {
      return hit.index;
    }
  }
  return code.length;
}

function continues(code: string, lineBreak: number): boolean {
  return (
    /[=+\-*/%&|?:<,.]\s*$|=>\s*$/.test(code.slice(Math.max(0, lineBreak - 80), lineBreak)) ||
    /^\s*(?:[.?:&|+*/%=<>)\]}-]|instanceof\b|in\b|as\b|satisfies\b)/.test(code.slice(lineBreak, lineBreak + 80))
  );
}

/** Behind the last line that is indented deeper than the line of `start`, looking from `from` on. */
function dedent(code: string, start: number, from: number): number {
  const line = code.lastIndexOf("\n", start - 1) + 1;
  const indent = /^[ \t]*/.exec(code.slice(line, start + 200))?.[0].length ?? 0;
  const shallower = new RegExp(`\\n[ \\t]{0,${indent}}[^\\s]`, "g");
  shallower.lastIndex = from;
  return shallower.exec(code)?.index ?? code.length;
}

function afterBrackets(code: string, from: number): number | undefined {
  const open = skipTypeParameters(code, from);
  return code[open] === "(" ? closeOf(code, open) : undefined;
}

/** Past blanks, a `?` and a list in angle or square brackets. */
function skipTypeParameters(code: string, from: number): number {
  const at = from + (/^\s*\??\s*/.exec(code.slice(from, from + 200))?.[0].length ?? 0);
  if (code[at] === "[") return skipBlanks(code, closeOf(code, at) ?? at);
  if (code[at] !== "<") return at;
  let depth = 0;
  const angle = /[-=]>|[<>;]/g;
  angle.lastIndex = at;
  for (let hit = angle.exec(code); hit !== null; hit = angle.exec(code)) {
    if (hit[0] === "<") depth++;
    else if (hit[0] === ">") depth--;
    else if (hit[0] === ";") return at;
    if (depth === 0) return skipBlanks(code, hit.index + 1);
  }
  return at;
}

function skipBlanks(code: string, from: number): number {
  return from + (/^\s*/.exec(code.slice(from, from + 200))?.[0].length ?? 0);
}

/** Behind the bracket that closes the one at `open`, or undefined where the code ends first. */
export function closeOf(code: string, open: number): number | undefined {
  let depth = 0;
  const bracket = /[([{}\])]/g;
  bracket.lastIndex = open;
  for (let hit = bracket.exec(code); hit !== null; hit = bracket.exec(code)) {
    depth += "([{".includes(hit[0]) ? 1 : -1;
    if (depth === 0) return hit.index + 1;
  }
  return undefined;
}

function matchesAt(pattern: string, code: string, at: number): boolean {
  const sticky = new RegExp(pattern, "uy");
  sticky.lastIndex = at;
  return sticky.test(code);
}
