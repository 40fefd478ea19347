/** The tool that lists the headings of a Markdown file. */

import { createListing } from "../../artifact/listing.ts";
import { textResult, type Tool } from "../tool.ts";
import { wholeNumber } from "../code/input.ts";
import description from "./artifact_md_headings.md";
import { artifactId, artifactTool, strict } from "./define.ts";
import { using, type ArtifactToolParts } from "./parts.ts";
import { headingsOf } from "./headings.ts";
import { safeText } from "./json-value.ts";

const input = strict({ artifact_id: artifactId(), max_level: wholeNumber(1, 6).default(6) });

/** `2.1  line 14  ## Title`. Throws as `using`, E_WRONG_KIND. */
export function artifactMdHeadings(parts: ArtifactToolParts): Tool {
  return artifactTool({
    name: "artifact_md_headings",
    description,
    input,
    effect: "read",
    run: ({ artifact_id: id, max_level: most }, context) =>
      using(parts, id, context, async ({ artifact, notes }) => {
        const { outputs, resultLimit, signal } = context;
        const listing = createListing(outputs, resultLimit);
        for await (const { number, level, title, line } of headingsOf(artifact, signal)) {
          if (level <= most)
            await listing.add(`${number}  line ${line}  ${"#".repeat(level)} ${safeText(artifact, title)}`);
        }
        if (listing.count === 0) await listing.add("No headings.");
        return textResult(await listing.end(notes));
      }),
  });
}
