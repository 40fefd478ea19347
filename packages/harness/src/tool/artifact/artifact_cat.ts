/** The tool that shows a range of lines of an open file. */

import type { Artifact } from "../../artifact/artifacts.ts";
import { pageFrom } from "../../artifact/page.ts";
import { Failure } from "../../error.ts";
import type { Tool } from "../tool.ts";
import { wholeNumber } from "../code/input.ts";
import description from "./artifact_cat.md";
import { artifactId, artifactTool, strict } from "./define.ts";
import { using, type ArtifactToolParts } from "./parts.ts";
import { maxLines, pageResult, roomIn } from "./page-result.ts";

const input = strict({
  artifact_id: artifactId(),
  start: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  end: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
}).refine(({ start, end = start }) => end >= start, { path: ["end"], message: "must not be before start" });

/** Throws as `using`, E_RANGE. */
export function artifactCat(parts: ArtifactToolParts): Tool {
  return artifactTool({
    name: "artifact_cat",
    description,
    input,
    effect: "read",
    run: ({ artifact_id: id, start, end = Number.MAX_SAFE_INTEGER }, context) =>
      using(parts, id, context, async ({ artifact, notes }) => {
        const limit = Math.min(end - start + 1, maxLines);
        const page = await pageFrom(artifact, start, { limit, most: roomIn(context) }, context.signal);
        if (page.lines.length === 0) throw await beyondEnd(artifact, start, context.signal);
        const more = page.more && (page.lines.at(-1)?.line ?? 0) < end;
        return pageResult(artifact, { ...page, more }, notes);
      }),
  });
}

async function beyondEnd({ name, lines }: Artifact, start: number, signal: AbortSignal): Promise<Failure> {
  const count = await lines.count(signal);
  return new Failure("E_RANGE", `${name} has ${count} lines: there is no line ${start}.`, {
    remedy: count === 0 ? "It is empty." : `Use a start from 1 to ${count}.`,
  });
}
