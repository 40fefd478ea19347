/** What follows a name decides what it is, and how far it goes: signatures, bodies, values. */

import type { Language, Rule } from "./language.ts";
import type { Code } from "./scan.ts";

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

/** The tail of a rule's match; undefined: it is not what the rule describes after all. Offsets are into the text. */
export function tailOf(code: Code, language: Language, rule: Rule, place: Place): Tail | undefined {
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
      return { end: from + (/^(?:.*\\\n)*.*/.exec(code.text.slice(from, from + reach))?.[0].length ?? 0) };
    default:
      return { end: code.text[from] === "(" ? (code.closes.get(from) ?? code.text.length) : from };
  }
}

/** `name<T>(…)`, then a body or not. An unclosed list counts where the rule names nothing that must follow. */
function signature(code: Code, language: Language, rule: Rule, place: Place): Tail | undefined {
  const open = skipTypeParameters(code, place.from);
  if (code.text[open] !== "(") return undefined;
  const close = code.closes.get(open);
  if (close === undefined) return rule.after === undefined ? { end: code.text.length } : undefined;
  if (rule.after !== undefined && !matchesAt(rule.after, code, close)) return undefined;
  if (language.blocks === "indent") return { end: dedent(code, place.start, close) };
  const block = blockAfter(code, close);
  return block === undefined ? { end: close, declared: true } : { end: block.end };
}

/** `struct name {`, `class name : base {`, `mod name;`; anything else only uses the name. */
function body(code: Code, from: number): Tail | undefined {
  const at = skipTypeParameters(code, from);
  if (code.text[at] === ";") return { end: at, declared: true };
  if (!/^(?:\{|:[^:]|final\b)/.test(code.text.slice(at, at + 6))) return undefined;
  const block = blockAfter(code, at);
  return block === undefined ? undefined : { end: block.end };
}

/** A value: a function or class there gives the name its kind. */
function value(code: Code, rule: Rule, from: number): Tail {
  const start = skipTypeParameters(code, from);
  const assigned = rule.tail === "entry" ? /^\s*:\s*/ : /^!?(?:\s*:[^=;\n]*(?:=>[^=;\n]*)*)?\s*=(?![=>])\s*/;
  const sign = assigned.exec(code.text.slice(start, start + reach));
  if (sign === null) return { end: from };
  const at = start + sign[0].length;
  const kind = rule.scope === "other" ? valueKind(code, at) : undefined;
  if (kind === undefined) return { end: statementEnd(code, at) };
  if (kind === "class") return { end: blockAfter(code, at)?.end ?? at, kind, scope: "type" };
  return { end: statementEnd(code, at), kind: rule.kind.endsWith("variable") ? kind : "method", scope: "function" };
}

function valueKind(code: Code, at: number): "function" | "class" | undefined {
  const head = /^(?:async\b\s*)?(?:(?<function>function\b|[\w$]+\s*=>)|(?<class>class\b)|[<(])/.exec(
    code.text.slice(at, at + 200),
  );
  if (head === null) return undefined;
  if (head.groups?.["function"] !== undefined) return "function";
  if (head.groups?.["class"] !== undefined) return "class";
  const open = skipTypeParameters(code, at + head[0].length - 1);
  const close = code.text[open] === "(" ? code.closes.get(open) : undefined;
  return close !== undefined && matchesAt("\\s*(?::[^;]{0,300}?)?=>", code, close) ? "function" : undefined;
}

/**
 * The block that follows a signature: the first brace that is not part of a type (`(): { a: string } {`), or undefined
 * where a semicolon or a closing bracket comes first.
 */
function blockAfter(code: Code, from: number): { end: number } | undefined {
  const stop = /[([{;)\]}]/g;
  stop.lastIndex = from;
  for (let hit = stop.exec(code.text); hit !== null && hit.index < from + reach; hit = stop.exec(code.text)) {
    if (!"([{".includes(hit[0])) return undefined;
    const end = code.closes.get(hit.index) ?? code.text.length;
    if (hit[0] === "{" && !isTypeLiteral(code, hit.index, end)) return { end };
    stop.lastIndex = end;
  }
  return undefined;
}

function isTypeLiteral(code: Code, open: number, end: number): boolean {
  const before =
    code.text
      .slice(Math.max(0, open - 80), open)
      .trimEnd()
      .at(-1) ?? "";
  return ":<|&".includes(before || " ") || /^\s*(?:[{>|&]|\[\])/.test(code.text.slice(end, end + 80));
}

/** Behind the statement that goes on at `from`: a semicolon, a comma, a closing bracket or a line break ends it. */
function statementEnd(code: Code, from: number): number {
  const stop = /[([{;,)\]}\n]/g;
  stop.lastIndex = from;
  for (let hit = stop.exec(code.text); hit !== null; hit = stop.exec(code.text)) {
    if ("([{".includes(hit[0])) {
      stop.lastIndex = code.closes.get(hit.index) ?? code.text.length;
    } else if (hit[0] !== "\n" || !continues(code, hit.index)) {
      return hit.index;
    }
  }
  return code.text.length;
}

function continues(code: Code, lineBreak: number): boolean {
  return (
    /[=+\-*/%&|?:<,.]\s*$|=>\s*$/.test(code.text.slice(Math.max(0, lineBreak - 80), lineBreak)) ||
    /^\s*(?:[.?:&|+*/%=<>)\]}-]|instanceof\b|in\b|as\b|satisfies\b)/.test(code.text.slice(lineBreak, lineBreak + 80))
  );
}

/** Behind the last line that is indented deeper than the line of `start`, looking from `from` on. */
function dedent(code: Code, start: number, from: number): number {
  const line = code.text.lastIndexOf("\n", start - 1) + 1;
  const indent = /^[ \t]*/.exec(code.text.slice(line, start + 200))?.[0].length ?? 0;
  const shallower = new RegExp(`\\n[ \\t]{0,${indent}}[^\\s]`, "g");
  shallower.lastIndex = from;
  return shallower.exec(code.text)?.index ?? code.text.length;
}

function afterBrackets(code: Code, from: number): number | undefined {
  const open = skipTypeParameters(code, from);
  return code.text[open] === "(" ? code.closes.get(open) : undefined;
}

/** Past blanks, a `?` and a list in angle or square brackets. */
function skipTypeParameters(code: Code, from: number): number {
  const at = from + (/^\s*\??\s*/.exec(code.text.slice(from, from + 200))?.[0].length ?? 0);
  if (code.text[at] === "[") return skipBlanks(code, code.closes.get(at) ?? at);
  if (code.text[at] !== "<") return at;
  let depth = 0;
  const angle = /[-=]>|[<>;]/g;
  angle.lastIndex = at;
  for (let hit = angle.exec(code.text); hit !== null; hit = angle.exec(code.text)) {
    if (hit[0] === "<") depth++;
    else if (hit[0] === ">") depth--;
    else if (hit[0] === ";") return at;
    if (depth === 0) return skipBlanks(code, hit.index + 1);
  }
  return at;
}

function skipBlanks(code: Code, from: number): number {
  return from + (/^\s*/.exec(code.text.slice(from, from + 200))?.[0].length ?? 0);
}

function matchesAt(pattern: string, code: Code, at: number): boolean {
  const sticky = new RegExp(pattern, "uy");
  sticky.lastIndex = at;
  return sticky.test(code.text);
}
