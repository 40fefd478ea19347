/** The tool that shows sections of a Markdown file. */

import { z } from "zod";
import type { Artifact } from "../../artifact/artifacts.ts";
import type { Line } from "../../artifact/lines.ts";
import type { Heading } from "../../artifact/markdown.ts";
import { pageFrom, lineText } from "../../artifact/page.ts";
import { Failure } from "../../error.ts";
import { textResult, type Tool } from "../tool.ts";
import { text } from "../code/input.ts";
import description from "./artifact_md_sections.md";
import { artifactId, artifactTool, strict } from "./define.ts";
import { shownOf, using, type ArtifactToolParts } from "./parts.ts";
import { headingsOf } from "./headings.ts";
import { safeText } from "./json-value.ts";
import { maxLines, roomIn } from "./page-result.ts";

const input = strict({
  artifact_id: artifactId(),
  sections: z.array(text(), "must be a list of numbers or headings").min(1, "must name a section"),
});

/** Sections that are shown at most. */
const maxSections = 200;

/** It goes from `line` to `end`, both included; undefined: to the end of the file. */
type Section = Heading & { end?: number | undefined };

/** Numbered lines. Throws as `using`, E_WRONG_KIND, E_NOT_FOUND. */
export function artifactMdSections(parts: ArtifactToolParts): Tool {
  return artifactTool({
    name: "artifact_md_sections",
    description,
    input,
    effect: "read",
    run: ({ artifact_id: id, sections }, context) =>
      using(parts, id, context, async ({ artifact, notes }) => {
        const { signal } = context;
        const { wanted, count } = await sectionsOf(artifact, sections, signal);
        const pieces: string[] = [];
        const seen: Line[] = [];
        let most = roomIn(context);
        let shown = 0;
        for (const { number, title, line, end } of wanted) {
          if (most <= 0) break;
          shown += 1;
          const limit = Math.min((end ?? Number.MAX_SAFE_INTEGER) - line + 1, maxLines);
          const { lines, more } = await pageFrom(artifact, line, { limit, most }, signal);
          for (const one of lines) most -= one.text.length + 1;
          const last = lines.at(-1)?.line ?? line;
          const isCut = more && (end === undefined || last < end);
          pieces.push(
            `${number} ${safeText(artifact, title)}`,
            ...lines.map(lineText),
            ...(isCut ? [`(go on with artifact_cat, start ${last + 1})`] : []),
          );
          seen.push(...lines);
        }
        const left = shown < count ? [`of ${count} sections these ${shown} are shown: ask for others by number`] : [];
        const said = [...left, ...notes].map((note) => `(${note})`);
        return textResult([...pieces, ...said].join("\n"), shownOf(artifact, seen));
      }),
  });
}

/** `count`: of all of them, of which `wanted` are the first. */
type Found = { wanted: readonly Section[]; count: number };

async function sectionsOf(artifact: Artifact, names: readonly string[], signal: AbortSignal): Promise<Found> {
  const left = new Set(names.map((name) => name.replace(/^#+\s+/, "").trim()));
  const all = new Set(left);
  const wanted: Section[] = [];
  let open: Section[] = [];
  let count = 0;
  for await (const heading of headingsOf(artifact, signal)) {
    for (const one of open) if (one.level >= heading.level) one.end = heading.line - 1;
    open = open.filter(({ end }) => end === undefined);
    const { number, title } = heading;
    if (!all.has(number) && !all.has(title)) continue;
    left.delete(number);
    left.delete(title);
    count += 1;
    if (wanted.length === maxSections) continue;
    const section: Section = { ...heading };
    wanted.push(section);
    open.push(section);
  }
  const [missing] = left;
  if (missing === undefined) return { wanted, count };
  throw new Failure("E_NOT_FOUND", `${artifact.name} has no section ${JSON.stringify(missing)}.`, {
    remedy: "Use a number or an exact heading as artifact_md_headings gives them.",
  });
}
