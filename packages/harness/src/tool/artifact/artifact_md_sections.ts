/** The tool that shows sections of a Markdown file. */

import { z } from "zod";
import type { Artifact } from "../../artifact/artifacts.ts";
import type { Line } from "../../artifact/lines.ts";
import type { Heading } from "../../artifact/markdown.ts";
import { pageFrom, shownLine } from "../../artifact/page.ts";
import { Failure } from "../../error.ts";
import { textResult, type Tool } from "../tool.ts";
import { text } from "../code/input.ts";
import description from "./artifact_md_sections.md";
import { artifactId, artifactTool, strict } from "./define.ts";
import { shownOf, using, type Desk } from "./desk.ts";
import { headingsOf } from "./headings.ts";
import { maxLines, roomIn } from "./page-result.ts";

const input = strict({
  artifact_id: artifactId(),
  sections: z.array(text(), "must be a list of numbers or headings").min(1, "must name a section"),
});

/** Numbered lines. Throws as `using`, E_WRONG_KIND, E_NOT_FOUND. */
export function artifactMdSections(desk: Desk): Tool {
  return artifactTool({
    name: "artifact_md_sections",
    description,
    input,
    effect: "read",
    run: ({ artifact_id: id, sections }, context) =>
      using(desk, id, context, async ({ artifact, notes }) => {
        const { signal } = context;
        const wanted = await sectionsOf(artifact, sections, signal);
        const parts: string[] = [];
        const seen: Line[] = [];
        let most = roomIn(context);
        for (const { number, title, line, end } of wanted) {
          const limit = Math.min((end ?? Number.MAX_SAFE_INTEGER) - line + 1, maxLines);
          const { lines, more } = await pageFrom(artifact, line, { limit, most: Math.max(1, most) }, signal);
          for (const one of lines) most -= one.text.length + 1;
          const last = lines.at(-1)?.line ?? line;
          const isCut = more && (end === undefined || last < end);
          parts.push(
            `${number} ${title}`,
            ...lines.map(shownLine),
            ...(isCut ? [`(go on with artifact_cat, start ${last + 1})`] : []),
          );
          seen.push(...lines);
        }
        return textResult([...parts, ...notes.map((note) => `(${note})`)].join("\n"), shownOf(artifact, seen));
      }),
  });
}

async function sectionsOf(artifact: Artifact, names: readonly string[], signal: AbortSignal): Promise<Heading[]> {
  const wanted = new Set(names.map((name) => name.replace(/^#+\s+/, "").trim()));
  const found: Heading[] = [];
  for await (const heading of headingsOf(artifact, signal)) {
    if (wanted.has(heading.number) || wanted.has(heading.title)) found.push(heading);
  }
  for (const name of wanted) {
    if (found.some(({ number, title }) => number === name || title === name)) continue;
    throw new Failure("E_NOT_FOUND", `${artifact.name} has no section ${JSON.stringify(name)}.`, {
      remedy: "Use a number or an exact heading as artifact_md_headings gives them.",
    });
  }
  return found;
}
