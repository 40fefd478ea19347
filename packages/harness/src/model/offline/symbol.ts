/** The answer to where a name is defined and who uses it, written from what was found. */

import type { Finding, Findings } from "./findings.ts";
import { kindDistance } from "./kinds.ts";
import type { Wants } from "./question.ts";
import type { Role } from "./region.ts";
import { isAside } from "./sources.ts";
import { reasonIn } from "./tool-text.ts";
import { importsPart, insteadPart, isUnused, list, type Part, type Uses, usesOf, usesPart } from "./uses.ts";
import { cite, count, lineText, paragraphs, section } from "./writing.ts";

/** The most lines a list in an answer has. */
const max = { definitions: 100, locals: 50 } as const;

/** The first sentence answers; lists with a citation a line follow, then what limits them. */
export function symbolAnswer(found: Findings, wants: Wants): string {
  const { name } = found.name;
  if (found.failure !== undefined) return `I could not search for \`${name}\`: ${reasonIn(found.failure)}`;
  if (found.findings.length === 0) {
    return paragraphs(`\`${name}\` does not occur in the files I may search.`, remarks(found, [], []));
  }

  const { definitions, notes } = definitionsOf(found);
  const uses = usesOf(found, definitions);
  const parts = partsOf(found, { definitions, uses, wants });
  return paragraphs(
    parts.flatMap(({ sentence }) => sentence || []).join(" "),
    ...parts.map(({ sections }) => sections),
    remarks(found, [...definitions, ...parts.flatMap(({ listed }) => listed)], notes),
  );
}

type Known = { definitions: readonly Finding[]; uses: Uses; wants: Wants };

/** Where the answer is that there is none, what there is instead comes last. */
function partsOf(found: Findings, { definitions, uses, wants }: Known): Part[] {
  const name = `\`${found.name.name}\``;
  switch (wants) {
    case "definition":
      return [definedPart(found, definitions), ...(definitions.length === 0 ? [insteadPart(uses, [])] : [])];
    case "imports":
      return [importsPart(name, uses)];
    default: {
      const used = usesPart(wants === "both" ? "It" : name, uses, definitions);
      const defined = wants === "both" ? [definedPart(found, definitions)] : [];
      const isMissing = isUnused(uses) || (wants === "both" && definitions.length === 0);
      return [...defined, used, ...(isMissing ? [insteadPart(uses, used.listed)] : [])];
    }
  }
}

function definedPart(found: Findings, definitions: readonly Finding[]): Part {
  const locals = localsOf(found, definitions);
  return {
    sentence: definedSentence(found, definitions),
    sections: paragraphs(definitionsSection(definitions), list("Local variables", locals, max.locals)),
    listed: locals,
  };
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
  const definitions = (asked.length > 0 ? asked : all).toSorted((a, b) => rank(a, name.kind) - rank(b, name.kind));
  return { definitions, notes };
}

/** A member belongs to a type, or to the file or folder that is its module. */
function belongsTo({ owner, path }: Finding, qualifier: string): boolean {
  return owner === qualifier || path.split("/").some((part) => part.replace(/\.[^.]*$/, "") === qualifier);
}

/** Prose and data define no names. */
const noCode = /\.(?:md|txt|rst|adoc|html?|css|json\w?|ya?ml|toml|lock|xml|csv|svg|log|cfg|ini|conf)$/i;

const minorKinds: ReadonlySet<string> = new Set([
  "member",
  "field",
  "variable",
  "local variable",
  "object member",
  "property",
]);

function rank({ path, role, kind, text }: Finding, asked: string | undefined): number {
  const exported = /^\s*(?:export|pub|public)\b/.test(text);
  return (
    kindDistance(asked, kind) * 16 +
    (role === "declaration" ? 8 : 0) +
    (isAside(path) ? 4 : 0) +
    (minorKinds.has(kind) ? 2 : 0) +
    (exported ? 0 : 1)
  );
}

function definedSentence({ name: { name }, unread }: Findings, definitions: readonly Finding[]): string {
  const [first] = definitions;
  if (first === undefined) {
    const files = [...unread].filter((path) => !noCode.test(path)).length;
    const but =
      files === 0 ? "" : ` The language of ${count(files, "file")} with it is unknown to me: one may be there.`;
    return `I found no definition of \`${name}\` in the files I may search.${but}`;
  }
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

function definitionsSection(definitions: readonly Finding[]): string {
  const left = definitions.length - max.definitions;
  return paragraphs(
    section("Definitions", definitions.slice(0, max.definitions).map(definitionLine)),
    left > 0 ? `${left} more definitions are not listed.` : "",
  );
}

function described({ kind, owner, role }: Finding): string {
  const declared = role === "declaration" ? "declaration of a " : "";
  return `${declared}${kind}${owner === "" ? "" : ` of ${owner}`}`;
}

function definitionLine(finding: Finding): string {
  return `${cite(finding.path, finding.line)} (${described(finding)}): ${lineText(finding.text)}`;
}

function remarks({ findings, notes }: Findings, listed: readonly Finding[], more: readonly string[]): string {
  const quiet = (["import", "re-export", "comment", "string", "local"] as const).flatMap((role) => {
    const n = findings.filter((finding) => finding.role === role && !listed.includes(finding)).length;
    return n === 0 ? [] : [count(n, role === "local" ? "local variable" : role)];
  });
  const besides = quiet.length === 0 ? [] : [`Not listed: ${quiet.join(", ")} on lines of their own.`];
  return [...besides, ...more, ...notes.map(sentence)].join(" ");
}

function sentence(note: string): string {
  const start = note.charAt(0).toUpperCase() + note.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
