/** The tool that searches the text of the project's files. */

import { createListing } from "../../artifact/listing.ts";
import { wellFormedSlice } from "../../slice.ts";
import type { Shown } from "../../workspace/ledger.ts";
import { showPath } from "../../workspace/text/show-path.ts";
import type { Hit } from "../../workspace/workspace.ts";
import { textResult, type Tool } from "../tool.ts";
import { flag, text } from "../code/input.ts";
import { artifactTool, atLeastOne } from "./define.ts";
import type { ArtifactToolParts } from "./parts.ts";
import { followable, found, scopeOf, where } from "./scope.ts";
import description from "./search_files.md";

/** Characters of a line that are sent, and how many of them stand before a match far in. */
const maxLine = 300;
const maxLead = 100;

/** `path:line: text`. Throws as `Workspace.search`. */
export function searchFiles({ backend }: ArtifactToolParts): Tool {
  const shape = {
    pattern: text().min(1, "must not be empty").max(4_000, "must have at most 4000 characters"),
    limit: atLeastOne(),
    ignore_case: flag().optional(),
    literal: flag().optional(),
    glob: text().optional(),
    iglob: text().optional(),
    ...where,
  };
  return artifactTool({
    name: "search_files",
    description,
    input: followable(shape, backend),
    effect: "read",
    async run(
      { pattern, limit, ignore_case: ignoreCase, literal, ...scope },
      { workspace, outputs, resultLimit, signal },
    ) {
      const listing = createListing(outputs, resultLimit);
      const shown: Shown[] = [];
      for await (const hit of workspace.search({ pattern, limit, ignoreCase, literal, ...scopeOf(scope) }, signal)) {
        if ("done" in hit) return await found(listing, hit, { limit, shown, none: "No matches." });
        await listing.add(hitText(hit));
        if (listing.isShown) extend(shown, hit);
      }
      return textResult(await listing.end([]), shown);
    },
  });
}

function extend(shown: Shown[], { path, hash, line }: Hit): void {
  const last = shown.at(-1);
  if (last?.path === path && last.hash === hash && last.to === line - 1) last.to = line;
  else shown.push({ path, hash, from: line, to: line, via: "search" });
}

/** A long line is shown from its start, or around a match that stands further in. */
function hitText({ path, line, text, column }: Hit): string {
  const from = column + maxLead < maxLine ? 0 : Math.max(0, Math.min(column - maxLead, text.length - maxLine));
  const to = from + maxLine;
  const excerpt =
    (from > 0 ? "…" : "") + wellFormedSlice(text, from, Math.min(to, text.length)) + (to < text.length ? "…" : "");
  return `${showPath(path)}:${line}: ${excerpt}`;
}
