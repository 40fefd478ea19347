/** The tool that searches an open file. */

import { createListing } from "../../artifact/listing.ts";
import { lineOf, lineText } from "../../artifact/page.ts";
import { textResult, type Tool } from "../tool.ts";
import { flag, text, wholeNumber } from "../code/input.ts";
import description from "./artifact_grep.md";
import { artifactId, artifactTool, strict } from "./define.ts";
import { shownOf, using, type ArtifactToolParts } from "./parts.ts";

const input = strict({
  artifact_id: artifactId(),
  pattern: text().min(1, "must not be empty").max(4_000, "must have at most 4000 characters"),
  literal: flag().optional(),
  ignore_case: flag().optional(),
  context: wholeNumber(0, 10).default(0),
  limit: wholeNumber(1, Number.MAX_SAFE_INTEGER).default(100),
});

/** `12:<tab>text` for a match, `12<tab>text` beside one. Throws as `using`, and as searching does. */
export function artifactGrep(parts: ArtifactToolParts): Tool {
  return artifactTool({
    name: "artifact_grep",
    description,
    input,
    effect: "read",
    run: ({ artifact_id: id, pattern, literal, ignore_case: ignoreCase, context: beside, limit }, context) =>
      using(parts, id, context, async ({ artifact, notes }) => {
        const { outputs, resultLimit, signal } = context;
        const listing = createListing(outputs, resultLimit);
        const seen: { line: number }[] = [];
        const found = [...notes];
        const query = { pattern, literal, ignoreCase, context: beside, limit };
        for await (const hit of artifact.file.search(query, signal)) {
          if ("done" in hit) {
            if (hit.stopped) found.unshift(`result-limited: the first ${limit} matches; there are more`);
            break;
          }
          await listing.add(lineText(lineOf(hit)).replace("\t", hit.match ? ":\t" : "\t"));
          if (listing.isShown) seen.push(hit);
        }
        if (listing.count === 0) await listing.add("No matches.");
        return textResult(await listing.end(found), shownOf(artifact, seen));
      }),
  });
}
