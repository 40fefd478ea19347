/** Reads a question: what is asked, about which names, texts or files. */

export type Name = {
  /** The last part: `run` of `Agent.run`. */
  name: string;
  /** The part before it: a type, a package, an object. */
  qualifier: string | undefined;
};

export type Wants = "definition" | "uses" | "both";
/** `under`: the file or folder to keep to. */
export type Subject = { name: Name; wants: Wants; under: string | undefined };

export type Question =
  | { kind: "symbol"; names: readonly Name[]; wants: Wants; under: string | undefined }
  | { kind: "text"; text: string; under: string | undefined }
  | { kind: "contents"; path: string }
  | { kind: "file"; path: string; words: readonly string[] }
  | { kind: "other"; names: readonly Name[] };

const identifier = "[\\p{L}_$#][\\p{L}\\p{N}_$]*";
const compound = `${identifier}(?:(?:\\.|::|->|#)${identifier})*`;

const definitionWords =
  /\b(?:defin\w*|declar\w*|implemented|implementations?|located?|lives?|comes? from|introduced)\b/i;
const useWords =
  /\b(?:call(?:s|ed|ers?|ing)?|us(?:e|es|ed|ing|ages?|ers?)|referenc\w*|refers?|invo[kc]\w*|depends?|import(?:s|ed|ers)?|instantiat\w*|constructs?|constructed)\b/i;
const textWords =
  /\b(?:says?|texts?|strings?|messages?|phrases?|literal|grep|search|contains?|appears?|written|words?)\b/i;
const contentWords =
  /\b(?:in|inside|under|contains?|holds?|exports?|defines?|there|files?|functions?|classes|list|outline|show|look)\b/i;
/** Tasks and explanations: a lookup is at best a help. */
const beyond =
  /^(?:please\s+)?(?:add|fix|change|rename|write|refactor|remove|delete|implement|create|update|make|explain|summari[sz]e|describe|why|run|test|how(?! (?:many|often))|should|could you (?:add|fix|change)|what (?:does|do) .*\bdo\b|what (?:is|are) (?:the )?(?:purpose|meaning|difference))/i;

/** Words between the verb and the name: `the function foo`. */
const fillers = new Set(
  "the a an any all function functions method methods class classes type types interface struct enum macro constant variable field property symbol identifier name named called module trait it this that them they there code everything where who what which is are was were and or of to in by from does do i we can find show me us defined used declared called anything something someone file files folder directory".split(
    " ",
  ),
);

/** Characters that are read: who asks says what within so many, and a pasted file would keep the patterns busy for minutes. */
const maxLength = 10_000;
/** The sign of `@src/a.ts`, which names the file src/a.ts. */
const mention = /(?<![^\s(])@(?=[\w./-]*\.\w)/gu;

/**
 * The question a text asks. `before` are the earlier questions of the conversation, last one first: "who calls it?"
 * takes its name from there.
 */
export function parseQuestion(text: string, before: readonly string[] = []): Question {
  const asked = text.slice(0, maxLength).replace(mention, "").replace(/[“”]/g, '"').replace(/[‘’]/g, "'").trim();
  const path = pathIn(asked);
  const names = namesIn(path === undefined ? asked : asked.replace(path, " "));
  if (beyond.test(asked)) return { kind: "other", names };

  const quoted = quotedIn(asked);
  if (quoted !== undefined && (textWords.test(asked.replace(quoted, "")) || !isName(quoted))) {
    return { kind: "text", text: quoted, under: path };
  }
  const folder = path === undefined && names.length === 0 ? folderIn(asked) : undefined;
  if (folder !== undefined) return { kind: "contents", path: folder };
  const wants = wantsOf(asked);
  if (path !== undefined && names.length === 0) {
    const words = wordsBeside(path, asked);
    return words.length === 0 || (wants !== undefined && /^\W*what\b/i.test(asked))
      ? { kind: "contents", path }
      : { kind: "file", path, words };
  }
  const meant = names.length > 0 || wants === undefined ? names : antecedent(before);
  if (meant.length === 0 || wants === undefined) return { kind: "other", names: meant };
  return { kind: "symbol", names: meant.slice(0, 3), wants, under: path };
}

function wantsOf(asked: string): Wants | undefined {
  const defined = definitionWords.test(asked);
  const used = useWords.test(asked);
  if (defined && used) return "both";
  if (used) return "uses";
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

function pathIn(asked: string): string | undefined {
  const written = asked.replace(/"[^"]*\s[^"]*"/g, " ").split(/[\s`"',;?!]+/);
  return written.map((token) => token.replace(/[.:]+$/, "").replace(/^\((.*)\)$/, "$1")).find(isPath);
}

/** A folder named in plain words: "what is in src", "list the files in the root folder". */
function folderIn(asked: string): string | undefined {
  const found =
    /^\W*(?:what(?:'s|\s+is|\s+are|\s+files?\s+are)?|list|show)\b.*?\b(?:in|inside|under)\s+(?:the\s+)?([\w.-]+)(\s+(?:folder|directory))?[?.!\s]*$/i.exec(
      asked,
    )?.[1];
  return found !== undefined && /^(?:root|project|repo|repository|here|this|\.)$/i.test(found) ? "." : found;
}

const fileEndings =
  /\.(?:[cm]?[jt]sx?|pyi?|go|rs|java|c|cc|cpp|cxx|h|hh|hpp|md|json|jsonc|ya?ml|toml|lock|txt|html?|css|scss|sh|bash|sql|xml|ini|cfg|conf|env|pem|key|rb|php|cs|kt|swift|vue|svelte|proto|gradle|mod|sum|csv|svg|log|rst)$/i;

function isPath(token: string): boolean {
  if (/^\w+:\/\//.test(token) || /[()<>]/.test(token)) return false;
  if (/^(?:Makefile|Dockerfile|LICENSE|README|CHANGELOG|\.{1,2}\/?)$/.test(token)) return true;
  return /^[^/]*\w[^/]*\//.test(token) || /^\.{0,2}\/./.test(token) || /^\.\w/.test(token) || fileEndings.test(token);
}

function namesIn(asked: string): Name[] {
  const inBackticks = Array.from(asked.matchAll(/`([^`]+)`/g), (match) => match[1] ?? "").filter(isName);
  if (inBackticks.length > 0) return unique(inBackticks);
  const quoted = quotedIn(asked);
  if (quoted !== undefined) return isName(quoted) ? unique([quoted]) : [];
  const tokens = Array.from(asked.matchAll(new RegExp(`${compound}(?:\\(\\))?`, "gu")), ([token]) => token);
  const shaped = tokens.filter((token, i) => hasShapeOfName(token, i === 0));
  if (shaped.length > 0) return unique(shaped);
  const captured = phraseIn(asked)?.match(new RegExp(`${compound}(?:\\(\\))?`, "gu")) ?? [];
  return unique(captured.filter((token) => !fillers.has(token.toLowerCase())).slice(0, 1));
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
function wordsBeside(path: string, asked: string): string[] {
  const words =
    asked
      .replace(path, " ")
      .toLowerCase()
      .match(/[\p{L}\p{N}_-]{2,}/gu) ?? [];
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
