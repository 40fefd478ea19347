/** The tool that opens a text file. */

import type { Tool } from "../tool.ts";
import type { ArtifactToolParts } from "./parts.ts";
import words from "./open_file.md";
import { opener } from "./opening.ts";

/** Throws as `Workspace.open`. */
export function openFile(parts: ArtifactToolParts): Tool {
  return opener(parts, { name: "open_file", words, recognise: async () => ({ kind: "text", what: "text" }) });
}
