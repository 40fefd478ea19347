/** The tool that finds files by their names. */

import { createListing } from "../../artifact/listing.ts";
import { showPath } from "../../workspace/text/show-path.ts";
import { textResult, type Tool } from "../tool.ts";
import { text } from "../code/input.ts";
import { artifactTool, atLeastOne } from "./define.ts";
import type { ArtifactToolParts } from "./parts.ts";
import description from "./find_files.md";
import { followable, found, scopeOf, where } from "./scope.ts";

/** Paths. Throws as `Workspace.find`. */
export function findFiles({ backend }: ArtifactToolParts): Tool {
  return artifactTool({
    name: "find_files",
    description,
    input: followable({ glob: text(), limit: atLeastOne(), iglob: text().optional(), ...where }, backend, {
      ignore_case: "names are found in any case with iglob",
      literal: "a name is found as it is by a glob without * ? [ {",
    }),
    effect: "read",
    async run({ limit, ...scope }, { workspace, outputs, resultLimit, signal }) {
      const listing = createListing(outputs, resultLimit);
      for await (const entry of workspace.find({ limit, ...scopeOf(scope) }, signal)) {
        if ("done" in entry) return await found(listing, entry, { limit, none: "No such files." });
        await listing.add(showPath(entry.path));
      }
      return textResult(await listing.end([]));
    },
  });
}
