/** The tool that gives one value of a JSON file. */

import { asItStands, kindOf } from "../../artifact/json/show.ts";
import { textResult, type Tool } from "../tool.ts";
import { text, wholeNumber } from "../code/input.ts";
import description from "./artifact_json_get.md";
import { artifactId, artifactTool, strict } from "./define.ts";
import { using, type ArtifactToolParts } from "./parts.ts";
import { pathOf, placeIn, safeValue, valueIn } from "./json-value.ts";

/** Characters of a value that are sent. */
const maxValue = 30_000;
const around = 500;

const input = strict({
  artifact_id: artifactId(),
  path: text().optional(),
  line: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional().describe("For JSON Lines"),
});

/** Throws as `using`, `valueIn`, `placeIn`. */
export function artifactJsonGet(parts: ArtifactToolParts): Tool {
  return artifactTool({
    name: "artifact_json_get",
    description,
    input,
    effect: "read",
    run: ({ artifact_id: id, path, line }, context) =>
      using(parts, id, context, async ({ artifact, notes }) => {
        const { resultLimit = maxValue + around, signal } = context;
        const at = pathOf(path);
        const { bytes, span } = placeIn(await valueIn(artifact, line, signal), at);
        const isLong = span.to - span.from > Math.min(maxValue, resultLimit - around);
        const shown = isLong
          ? `${kindOf(bytes, span)}, ${span.to - span.from} bytes: too long to be shown; ask for its keys, or go further down`
          : safeValue(artifact, at, asItStands(bytes, span));
        return textResult([shown, ...notes.map((note) => `(${note})`)].join("\n"));
      }),
  });
}
