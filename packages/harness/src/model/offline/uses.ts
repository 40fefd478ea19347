/** What there is of a name besides its definitions: calls, other uses, imports, and where it is only written. */

import type { Finding, Findings } from "./findings.ts";
import type { Role } from "./region.ts";
import { isAside } from "./sources.ts";
import { cite, count, lineText, paragraphs, section } from "./writing.ts";

/** The most lines a list has; `instead` of what was asked for, fewer do. */
const max = { uses: 100, texts: 10, instead: 10 } as const;

export type Uses = {
  calls: readonly Finding[];
  mentions: readonly Finding[];
  imports: readonly Finding[];
  /** In comments and strings. */
  quoted: readonly Finding[];
  /** Where nothing is read as code. */
  texts: readonly Finding[];
};

/** A part of an answer, and the findings it lists. */
export type Part = { sentence: string; sections: string; listed: readonly Finding[] };

/** The project's own code before tests and what others wrote; the order of the search otherwise. */
export function usesOf({ findings }: Findings, definitions: readonly Finding[]): Uses {
  const ordered = findings
    .filter((finding) => !definitions.includes(finding))
    .toSorted((a, b) => Number(isAside(a.path)) - Number(isAside(b.path)));
  const having = (...roles: readonly Role[]): Finding[] => ordered.filter(({ role }) => roles.includes(role));
  return {
    calls: having("call"),
    mentions: having("mention", "assigned", "entry"),
    imports: having("import", "re-export"),
    quoted: having("comment", "string"),
    texts: having("text"),
  };
}

/** Whether no code does anything with it. */
export function isUnused({ calls, mentions }: Uses): boolean {
  return calls.length === 0 && mentions.length === 0;
}

/** Who calls and uses it. */
export function usesPart(subject: string, uses: Uses, definitions: readonly Finding[]): Part {
  const { calls, mentions, texts } = uses;
  const left = Math.max(0, max.uses - calls.length);
  const sections = paragraphs(
    section(`Calls (${calls.length})`, calls.slice(0, max.uses).map(useLine)),
    section(`Other uses (${mentions.length})`, mentions.slice(0, left).map(useLine)),
    rest([...calls, ...mentions].slice(max.uses), definitions),
    section(`Outside of code I can read (${texts.length})`, texts.slice(0, max.texts).map(useLine)),
  );
  return { sentence: usesSentence(subject, uses), sections, listed: [...calls, ...mentions, ...texts] };
}

/** Who imports it. */
export function importsPart(subject: string, { imports, texts }: Uses): Part {
  const sentence =
    imports.length === 0
      ? `I found no import of ${subject} in the code I may search.`
      : `${subject} is imported on ${count(imports.length, "line")}, in ${filesOf(imports)}.`;
  const sections = paragraphs(
    list("Imports", imports, max.uses),
    imports.length === 0 ? list("Outside of code I can read", texts, max.texts) : "",
  );
  return { sentence, sections, listed: imports };
}

/** What there is where something asked for is not: a few lines of each sort. */
export function insteadPart(uses: Uses, except: readonly Finding[]): Part {
  const rest = (findings: readonly Finding[]): Finding[] => findings.filter((finding) => !except.includes(finding));
  const sections = paragraphs(
    list("Calls", rest(uses.calls), max.instead),
    list("Other uses", rest(uses.mentions), max.instead),
    list("Imports", rest(uses.imports), max.instead),
    list("In comments and strings", rest(uses.quoted), max.instead),
    list("Outside of code I can read", rest(uses.texts), max.instead),
  );
  return { sentence: "", sections, listed: [...uses.imports, ...uses.quoted] };
}

/** A line with the function it stands in. */
function useLine({ path, line, inside, text }: Finding): string {
  const place = inside === undefined ? "" : ` in ${inside.label} (${cite(path, inside.line)})`;
  return `${cite(path, line)}${place}: ${lineText(text)}`;
}

/** Lines under a heading with their number, and how many of them are left out. */
export function list(heading: string, findings: readonly Finding[], limit: number): string {
  const left = findings.length - limit;
  return paragraphs(
    section(`${heading} (${findings.length})`, findings.slice(0, limit).map(useLine)),
    left > 0 ? `${left} more are not listed.` : "",
  );
}

function filesOf(findings: readonly Finding[]): string {
  return count(new Set(findings.map(({ path }) => path)).size, "file");
}

function usesSentence(subject: string, { calls, mentions, quoted }: Uses): string {
  const files = filesOf([...calls, ...mentions]);
  if (calls.length > 0 && mentions.length > 0) {
    return `${subject} is called on ${count(calls.length, "line")} and otherwise used on ${mentions.length}, in ${files}.`;
  }
  if (calls.length > 0) return `${subject} is called on ${count(calls.length, "line")}, in ${files}.`;
  if (mentions.length > 0)
    return `${subject} is never called, but used on ${count(mentions.length, "line")}, in ${files}.`;
  if (quoted.length > 0)
    return `${subject} is not used as a name in the code I may search, but stands in comments and strings on ${count(quoted.length, "line")}.`;
  return `${subject} is not used anywhere in the code I may search.`;
}

/** What the lists leave out, by file, and what to ask for to see it. */
function rest(left: readonly Finding[], definitions: readonly Finding[]): string {
  const byName =
    definitions.length > 1 || definitions.some(({ owner }) => owner !== "")
      ? "Uses are matched by name: those of another definition with the same name are among them."
      : "";
  if (left.length === 0) return byName;
  const files = [...Map.groupBy(left, ({ path }) => path)].map(([path, found]) => `${path} (${found.length})`);
  const shown = files.slice(0, 20).join(", ") + (files.length > 20 ? `, and ${files.length - 20} more files` : "");
  return paragraphs(
    `${left.length} more lines are not listed: ${shown}. Name a folder in the question to narrow it: "who calls it in src/".`,
    byName,
  );
}
