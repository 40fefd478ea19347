/** The tool that shows how an open file ends. */

import { lastPage } from "../../artifact/page.ts";
import type { Tool } from "../tool.ts";
import { wholeNumber } from "../code/input.ts";
import description from "./artifact_tail.md";
import { artifactId, artifactTool, strict } from "./define.ts";
import { using, type ArtifactToolParts } from "./parts.ts";
import { maxLines, pageResult, roomIn } from "./page-result.ts";

const input = strict({ artifact_id: artifactId(), lines: wholeNumber(1, maxLines).default(20) });

/** Throws as `using`. */
export function artifactTail(parts: ArtifactToolParts): Tool {
  return artifactTool({
    name: "artifact_tail",
    description,
    input,
    effect: "read",
    run: ({ artifact_id: id, lines }, context) =>
      using(parts, id, context, async ({ artifact, notes }) => {
        const page = await lastPage(artifact, { limit: lines, most: roomIn(context) }, context.signal);
        const cut = page.more ? [`of ${lines} lines only these fit`] : [];
        return pageResult(artifact, { ...page, more: false }, [...cut, ...notes]);
      }),
  });
}
