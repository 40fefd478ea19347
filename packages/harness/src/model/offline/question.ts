/** Reads a question: what is asked, about which names, texts or files. */

import { kindAsked } from "./kinds.ts";
import { folderIn, isPath, type Kind, kindIn, type Place, placeOf, placesIn } from "./places.ts";

export type Name = {
  /** The last part: `run` of `Agent.run`. */
  name: string;
  /** The part before it: a type, a package, an object. */
  qualifier: string | undefined;
  /** What the question calls it: function, interface… */
  kind?: string | undefined;
};

export type Wants = "definition" | "uses" | "both" | "imports";
/** `under`: the file or folder to keep to. */
export type Subject = { name: Name; wants: Wants; under: string | undefined };

export type Question =
  | { kind: "symbol"; names: readonly Name[]; wants: Wants; under: string | undefined }
  | { kind: "text"; text: string; under: string | undefined }
  /** `files`: only those of a kind. */
  | { kind: "contents"; place: Place; files?: Kind | undefined }
  | { kind: "file"; path: string; words: readonly string[] }
  /** A file or folder by its name alone; `names` are what else could be meant. */
  | { kind: "named"; called: string; names: readonly Name[] }
  | { kind: "other"; names: readonly Name[]; place: Place | undefined };

const identifier = "[\\p{L}_$#][\\p{L}\\p{N}_$]*";
const compound = `${identifier}(?:(?:\\.|::|->|#)${identifier})*`;

const definitionWords =
  /\b(?:defin\w*|declar\w*|implemented|implementations?|located?|lives?|comes? from|introduced)\b/i;
const useWords =
  /\b(?:call(?:s|ed|ers?|ing)?|us(?:e|es|ed|ing|ages?|ers?)|referenc\w*|refers?|invo[kc]\w*|depends?|import(?:s|ed|ers)?|instantiat\w*|constructs?|constructed)\b/i;
/** Uses besides imports. */
const calling = /\b(?:call|us|referenc|refer|invo[kc]|instantiat|construct)\w*/i;
const textWords =
  /\b(?:says?|texts?|strings?|messages?|phrases?|literal|grep|search|contains?|appears?|written|words?)\b/i;
const contentWords =
  /\b(?:in|inside|under|contains?|holds?|exports?|defines?|there|files?|functions?|classes|list|outline|show|look)\b/i;
/** The head of a method in Go: `func (h *Type) Name(…)`. */
const receiver = /`?\bfunc\s*\(\s*(?:\w+\s+)?\*?(\w+)(?:\[[^\]]*\])?\s*\)\s*(\w+)(?:\([^)]*\))?`?/gu;
/** Tasks and explanations: a lookup is at best a help. */
const beyond =
  /^(?:please\s+)?(?:add|fix|change|rename|write|refactor|remove|delete|implement|create|update|make|explain|summari[sz]e|describe|why|run|test|how(?! (?:many|often))|should|could you (?:add|fix|change)|what (?:does|do) .*\bdo\b|what (?:is|are) (?:the )?(?:purpose|meaning|difference))/i;

/** Words between the verb and the name: `the function foo`. */
const fillers = new Set(
  "the a an any all function functions method methods class classes type types interface struct enum macro constant variable field property symbol identifier name named called module trait it this that them they there code everything where who what which is are was were and or of to in by from does do i we can find show me us defined used declared called anything something someone file files folder directory".split(
    " ",
  ),
);

/** Words behind a name that change nothing in what is asked. */
const besides = new Set("here today now currently exactly actually please again first really then itself".split(" "));

/**
 * The question a text asks. `before` are the earlier questions of the conversation, last one first: "who calls it?"
 * takes its name from there.
 */
export function parseQuestion(text: string, before: readonly string[] = []): Question {
  const { asked, rest, place } = placesIn(text.replace(receiver, "`$1.$2`"));
  const names = namesIn(rest).map((name) => ({ ...name, kind: kindAsked(rest, name.name) }));
  if (beyond.test(asked)) return { kind: "other", names, place };

  const called = calledIn(asked);
  if (called !== undefined) return { kind: "named", called, names };
  const quoted = quotedIn(asked);
  const isText = quoted !== undefined && textWords.test(asked.replace(quoted, ""));
  if (quoted !== undefined && !isText && isPath(quoted)) return { kind: "contents", place: placeOf(quoted) };
  if (quoted !== undefined && (isText || !isName(quoted))) {
    return { kind: "text", text: quoted, under: place?.path };
  }
  const hyphened = hyphenedIn(rest);
  if (hyphened !== undefined) return { kind: "text", text: hyphened, under: place?.path };
  const folder = place === undefined && names.length === 0 ? folderIn(asked) : undefined;
  const files = names.length === 0 ? kindIn(asked) : undefined;
  const listed = place ?? (folder === undefined && files === undefined ? undefined : placeOf(folder ?? "."));
  if (listed !== undefined && (folder ?? files) !== undefined) return { kind: "contents", place: listed, files };
  const wants = wantsOf(asked);
  if (place !== undefined && names.length === 0) {
    const words = wordsBeside(rest);
    return place.lines !== undefined || words.length === 0 || (wants !== undefined && /^\W*what\b/i.test(asked))
      ? { kind: "contents", place }
      : { kind: "file", path: place.path, words };
  }
  const meant = names.length > 0 || wants === undefined ? names : antecedent(before);
  if (meant.length === 0 || wants === undefined) return { kind: "other", names: meant, place };
  return { kind: "symbol", names: meant, wants, under: place?.path };
}

/** "Where is the README", "where are the test files": a plain word, not a name of code. */
function calledIn(asked: string): string | undefined {
  const [, the, word = "", sort] =
    /^\W*where(?:'s|\s+is|\s+are)\s+((?:the|all)\s+)*([\w.-]+?)(\s+(?:files?|folders?|director(?:y|ies)))?[?.!\s]*$/iu.exec(
      asked,
    ) ?? [];
  if (isPath(word)) return word;
  return (the ?? sort) !== undefined && !hasShapeOfName(word, false) && !fillers.has(word) ? word : undefined;
}

/** What is asked about names; undefined where it is nothing the rules answer. */
export function wantsOf(asked: string): Wants | undefined {
  const defined = definitionWords.test(asked);
  const used = useWords.test(asked);
  if (defined && used) return "both";
  if (used) return /\b(?:import(?:s|ed|ers?)?)\b/i.test(asked) && !calling.test(asked) ? "imports" : "uses";
  if (defined || /^\W*(?:where\b|(?:find|locate|show|go to)\b)/i.test(asked)) return "definition";
  return undefined;
}

/** `Agent.run`, `pkg::fn`, `obj->m`, `Type#m` or a plain name, with or without `()`. */
function nameOf(written: string): Name {
  const parts = written.replace(/\(.*$/s, "").split(/\.|::|->|#/);
  return { name: parts.at(-1) ?? "", qualifier: parts.at(-2) || undefined };
}

function isName(written: string): boolean {
  return new RegExp(`^${compound}(?:\\(\\))?$`, "u").test(written);
}

/** The first text in double or single quotes, or in backticks where it is no name. */
function quotedIn(asked: string): string | undefined {
  const text = /"([^"]+)"|(?<!\w)'([^']+)'(?!\w)/.exec(asked);
  const code = /`([^`]+)`/.exec(asked)?.[1];
  return text?.[1] ?? text?.[2] ?? (code !== undefined && !isName(code) && !isPath(code) ? code : undefined);
}

/** What is no name because of its hyphens (a header, an option of a command), where it alone is asked about. */
function hyphenedIn(asked: string): string | undefined {
  if (wantsOf(asked) === undefined || /`/.test(asked) || shapedIn(asked).length > 0) return undefined;
  return /(?<![\w-])(?:--?\p{L}[\p{L}\p{N}]*|[\p{L}\p{N}]+)(?:-[\p{L}\p{N}]+)+|(?<![\w-])--\p{L}[\p{L}\p{N}]*/u.exec(
    phraseIn(asked) ?? "",
  )?.[0];
}

function namesIn(asked: string): Name[] {
  const inBackticks = Array.from(asked.matchAll(/`([^`]+)`/g), (match) => match[1] ?? "").filter(isName);
  if (inBackticks.length > 0) return unique(inBackticks);
  const quoted = quotedIn(asked);
  if (quoted !== undefined) return isName(quoted) ? unique([quoted]) : [];
  const shaped = shapedIn(asked);
  return unique(shaped.length > 0 ? shaped : plainWordsIn(asked).slice(0, 1));
}

function shapedIn(asked: string): string[] {
  return tokensOf(asked).filter((token, i) => hasShapeOfName(token, i === 0));
}

/** Words where a name stands, of a question that writes none as code does: the first is taken for it. */
function plainWordsIn(asked: string): string[] {
  return tokensOf(phraseIn(asked) ?? "").filter((token) => !fillers.has(token.toLowerCase()));
}

function tokensOf(text: string): string[] {
  return text.match(new RegExp(`${compound}(?:\\(\\))?`, "gu")) ?? [];
}

/** Of such words those that no answer goes into: "cookie signed" in "where is the session cookie signed?" */
export function wordsBeyond(asked: string, name: string): string | undefined {
  if (/[`"]/.test(asked) || shapedIn(asked).length > 0) return undefined;
  const [first, ...more] = plainWordsIn(asked);
  const others = more.filter((word) => !definitionWords.test(word) && !useWords.test(word) && !besides.has(word));
  return first === name && others.length > 0 ? others.join(" ") : undefined;
}

/** camelCase, snake_case, Inner capitals, CAPITALS_WITH_DIGITS1, parts, or parentheses: no English word. */
function hasShapeOfName(token: string, first: boolean): boolean {
  if (/[_$]|::|->|\.\w|#|\(\)$|\p{Ll}\p{Lu}|\p{L}\p{N}/u.test(token)) return true;
  return !first && /^\p{Lu}\p{Ll}+\p{Lu}?/u.test(token) && !fillers.has(token.toLowerCase());
}

/** Where a sentence that names things in plain words has the name. */
function phraseIn(asked: string): string | undefined {
  const verbs = "calls?|uses?|references?|refers? to|invokes?|imports?|instantiates?|defines?|declares?|depends? on";
  const states = "defined|declared|implemented|located|used|called|referenced|invoked|imported|instantiated|coming";
  const patterns = [
    `\\b(?:is|are|was|does|do)\\s+(.+?)\\s+(?:(?:being|ever|actually)\\s+)?(?:${states}|live|come|have)\\b`,
    `\\b(?:callers?|call sites?|uses?|users?|usages?|references?|definitions?|declarations?|implementations?)\\s+(?:of|to|for)\\s+([^?.!,]+)`,
    `\\b(?:who|what|which\\s+\\w+|functions?|that)\\s+(?:${verbs})\\s+([^?.!,]+)`,
    `\\b(?:we|they|you|i|code)\\s+(?:${verbs})\\s+([^?.!,]+)`,
    "\\bwhere(?:\\s+is|\\s+are|'s)\\s+([^?.!,]+)",
    "\\b(?:find|locate|show|go to)\\s+(?:me\\s+)?([^?.!,]+)",
  ];
  for (const pattern of patterns) {
    const found = new RegExp(pattern, "iu").exec(asked)?.[1];
    if (found !== undefined && found.split(/\s+/).some((word) => !fillers.has(word.toLowerCase()))) return found;
  }
  return undefined;
}

/** The names of the last question that had any. */
function antecedent(before: readonly string[]): Name[] {
  for (const text of before) {
    const question = parseQuestion(text);
    if ((question.kind === "symbol" || question.kind === "other") && question.names.length > 0)
      return [...question.names];
  }
  return [];
}

/** What a question about a file asks for, besides the file: "the API key" gives api and key. */
function wordsBeside(asked: string): string[] {
  const words = asked.toLowerCase().match(/[\p{L}\p{N}_-]{2,}/gu) ?? [];
  return words.filter(
    (word) =>
      !fillers.has(word) &&
      !contentWords.test(word) &&
      !/^(?:please|tell|give|say|read|open|folder|directory|file|how|at|on|for|with|its|be|has|have)$/.test(word),
  );
}

function unique(written: readonly string[]): Name[] {
  const names = new Map(written.map((text) => [text.replace(/\(\)$/, ""), nameOf(text)]));
  return [...names.values()].filter(({ name }) => name !== "");
}
