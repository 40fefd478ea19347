/** The tool that lists a folder. */

import { createListing } from "../../artifact/listing.ts";
import { textResult, type Tool } from "../tool.ts";
import { text } from "../code/input.ts";
import { entryText } from "../code/list_files.ts";
import { artifactTool, atLeastOne, strict } from "./define.ts";
import description from "./list_directory.md";
import { found } from "./scope.ts";

const input = strict({ path: text(), max_depth: atLeastOne() });

/** Entries by their path from the root. Throws as `Workspace.list`. */
export function listDirectory(): Tool {
  return artifactTool({
    name: "list_directory",
    description,
    input,
    effect: "read",
    async run({ path, max_depth: depth }, { workspace, outputs, resultLimit, signal }) {
      const listing = createListing(outputs, resultLimit);
      for await (const entry of workspace.list(path, { depth }, signal)) {
        if ("done" in entry) return await found(listing, { ...entry, stopped: false }, { none: "(empty)" });
        await listing.add(entryText(entry));
      }
      return textResult(await listing.end([]));
    },
  });
}
