/** The tool that counts the lines of an open file. */

import { textResult, type Tool } from "../tool.ts";
import description from "./artifact_line_count.md";
import { artifactId, artifactTool, strict } from "./define.ts";
import { using, type ArtifactToolParts } from "./parts.ts";

const input = strict({ artifact_id: artifactId() });

/** Throws as `using`. */
export function artifactLineCount(parts: ArtifactToolParts): Tool {
  return artifactTool({
    name: "artifact_line_count",
    description,
    input,
    effect: "read",
    run: ({ artifact_id: id }, context) =>
      using(parts, id, context, async ({ artifact, notes }) => {
        const count = await artifact.lines.count(context.signal);
        return textResult([`${artifact.name}: ${count} lines`, ...notes.map((note) => `(${note})`)].join("\n"));
      }),
  });
}
