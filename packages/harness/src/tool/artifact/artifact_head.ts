/** The tool that shows how an open file begins. */

import { pageFrom } from "../../artifact/page.ts";
import type { Tool } from "../tool.ts";
import { wholeNumber } from "../code/input.ts";
import description from "./artifact_head.md";
import { artifactId, artifactTool, strict } from "./define.ts";
import { using, type ArtifactToolParts } from "./parts.ts";
import { maxLines, pageResult, roomIn } from "./page-result.ts";

const input = strict({ artifact_id: artifactId(), lines: wholeNumber(1, maxLines).default(20) });

/** Throws as `using`. */
export function artifactHead(parts: ArtifactToolParts): Tool {
  return artifactTool({
    name: "artifact_head",
    description,
    input,
    effect: "read",
    run: ({ artifact_id: id, lines }, context) =>
      using(parts, id, context, async ({ artifact, notes }) => {
        const page = await pageFrom(artifact, 1, { limit: lines, most: roomIn(context) }, context.signal);
        return pageResult(artifact, page, notes);
      }),
  });
}
