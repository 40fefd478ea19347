/** The answer to where a name is defined and who uses it, written from what was found. */

import type { Finding, Findings } from "./findings.ts";
import type { Wants } from "./question.ts";
import type { Role } from "./region.ts";
import { isAside } from "./sources.ts";
import { cite, count, lineText, paragraphs, section } from "./writing.ts";

/** The most lines a list in an answer has. */
const max = { definitions: 100, locals: 50, uses: 100, texts: 10 } as const;

/** The first sentence answers; lists with a citation a line follow, then what limits them. */
export function symbolAnswer(found: Findings, wants: Wants): string {
  const { name } = found.name;
  if (found.failure !== undefined) return `I could not search for \`${name}\`: ${found.failure}`;
  if (found.findings.length === 0) {
    return paragraphs(`\`${name}\` does not occur in the files I may search.`, remarks(found, [], []));
  }

  const { definitions, notes } = definitionsOf(found);
  const uses = usesOf(found, definitions);
  const sentences = [
    ...(wants === "uses" ? [] : [definedSentence(name, definitions)]),
    ...(wants === "definition" ? [] : [usesSentence(wants === "uses" ? `\`${name}\`` : "It", uses)]),
  ];
  return paragraphs(
    sentences.join(" "),
    wants === "uses" ? "" : definitionsSection(definitions),
    wants === "uses" ? "" : localsSection(localsOf(found, definitions)),
    wants === "definition" ? "" : usesSections(uses, definitions),
    remarks(found, wants === "uses" ? definitions : [...definitions, ...localsOf(found, definitions)], notes),
  );
}

/** Variables within functions, where something of the name is defined outside of them as well. */
function localsOf({ findings }: Findings, definitions: readonly Finding[]): Finding[] {
  return findings.filter((finding) => finding.role === "local" && !definitions.includes(finding));
}

/** What counts as a definition, best first: the next only where there is nothing of the one before. */
const tiers: readonly (readonly Role[])[] = [["definition", "declaration"], ["local", "assigned"], ["entry"]];

/** The best that was found, the likeliest first. */
function definitionsOf({ name, findings }: Findings): { definitions: Finding[]; notes: string[] } {
  const all =
    tiers.map((roles) => findings.filter(({ role }) => roles.includes(role))).find((found) => found.length > 0) ?? [];
  const { qualifier } = name;
  const asked = qualifier === undefined ? all : all.filter((finding) => belongsTo(finding, qualifier));
  const notes =
    asked.length === 0 && all.length > 0 ? [`None of the definitions is known to belong to ${qualifier}.`] : [];
  const definitions = (asked.length > 0 ? asked : all).toSorted((a, b) => rank(a) - rank(b));
  return { definitions, notes };
}

/** A member belongs to a type, or to the file or folder that is its module. */
function belongsTo({ owner, path }: Finding, qualifier: string): boolean {
  return owner === qualifier || path.split("/").some((part) => part.replace(/\.[^.]*$/, "") === qualifier);
}

const minorKinds: ReadonlySet<string> = new Set([
  "member",
  "field",
  "variable",
  "local variable",
  "object member",
  "property",
]);

function rank({ path, role, kind, text }: Finding): number {
  const exported = /^\s*(?:export|pub|public)\b/.test(text);
  return (
    (role === "declaration" ? 8 : 0) + (isAside(path) ? 4 : 0) + (minorKinds.has(kind) ? 2 : 0) + (exported ? 0 : 1)
  );
}

function definedSentence(name: string, definitions: readonly Finding[]): string {
  const [first] = definitions;
  if (first === undefined) return `I found no definition of \`${name}\` in the files I may search.`;
  const verb =
    first.role === "declaration"
      ? "declared"
      : first.role === "assigned" || first.role === "entry"
        ? "set, but not defined,"
        : "defined";
  const place = `${cite(first.path, first.line)} (${described(first)})`;
  if (definitions.length === 1) return `\`${name}\` is ${verb} at ${place}.`;
  return `\`${name}\` is ${verb} in ${definitions.length} places, most likely meant: ${place}.`;
}

const mentionRoles: ReadonlySet<Role> = new Set(["mention", "assigned", "entry"]);

type Uses = { calls: Finding[]; mentions: Finding[]; texts: Finding[] };

/** The project's own code before tests and what others wrote; the order of the search otherwise. */
function usesOf({ findings }: Findings, definitions: readonly Finding[]): Uses {
  const others = findings.filter((finding) => !definitions.includes(finding));
  const ordered = others.toSorted((a, b) => Number(isAside(a.path)) - Number(isAside(b.path)));
  return {
    calls: ordered.filter(({ role }) => role === "call"),
    mentions: ordered.filter(({ role }) => mentionRoles.has(role)),
    texts: ordered.filter(({ role }) => role === "text"),
  };
}

function usesSentence(subject: string, { calls, mentions }: Uses): string {
  const files = count(new Set([...calls, ...mentions].map(({ path }) => path)).size, "file");
  if (calls.length > 0 && mentions.length > 0) {
    return `${subject} is called on ${count(calls.length, "line")} and otherwise used on ${mentions.length}, in ${files}.`;
  }
  if (calls.length > 0) return `${subject} is called on ${count(calls.length, "line")}, in ${files}.`;
  if (mentions.length > 0)
    return `${subject} is never called, but used on ${count(mentions.length, "line")}, in ${files}.`;
  return `${subject} is not used anywhere in the code I may search.`;
}

function usesSections({ calls, mentions, texts }: Uses, definitions: readonly Finding[]): string {
  const left = Math.max(0, max.uses - calls.length);
  return paragraphs(
    section(`Calls (${calls.length})`, calls.slice(0, max.uses).map(useLine)),
    section(`Other uses (${mentions.length})`, mentions.slice(0, left).map(useLine)),
    rest([...calls, ...mentions].slice(max.uses), definitions),
    section(`Outside of code I can read (${texts.length})`, texts.slice(0, max.texts).map(useLine)),
  );
}

function definitionsSection(definitions: readonly Finding[]): string {
  const left = definitions.length - max.definitions;
  return paragraphs(
    section("Definitions", definitions.slice(0, max.definitions).map(definitionLine)),
    left > 0 ? `${left} more definitions are not listed.` : "",
  );
}

function localsSection(locals: readonly Finding[]): string {
  const left = locals.length - max.locals;
  return paragraphs(
    section(`Local variables (${locals.length})`, locals.slice(0, max.locals).map(useLine)),
    left > 0 ? `${left} more are not listed.` : "",
  );
}

function described({ kind, owner, role }: Finding): string {
  const declared = role === "declaration" ? "declaration of a " : "";
  return `${declared}${kind}${owner === "" ? "" : ` of ${owner}`}`;
}

function definitionLine(finding: Finding): string {
  return `${cite(finding.path, finding.line)} (${described(finding)}): ${lineText(finding.text)}`;
}

function useLine({ path, line, inside, text }: Finding): string {
  const place = inside === undefined ? "" : ` in ${inside.label} (${cite(path, inside.line)})`;
  return `${cite(path, line)}${place}: ${lineText(text)}`;
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

function remarks({ findings, notes }: Findings, definitions: readonly Finding[], more: readonly string[]): string {
  const quiet = (["import", "re-export", "comment", "string", "local"] as const).flatMap((role) => {
    const n = findings.filter((finding) => finding.role === role && !definitions.includes(finding)).length;
    return n === 0 ? [] : [count(n, role === "local" ? "local variable" : role)];
  });
  const besides = quiet.length === 0 ? [] : [`Not listed: ${quiet.join(", ")} on lines of their own.`];
  return [...besides, ...more, ...notes.map(sentence)].join(" ");
}

function sentence(note: string): string {
  const start = note.charAt(0).toUpperCase() + note.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
