/** The tool that opens a Markdown file. */

import type { Tool } from "../tool.ts";
import type { ArtifactToolParts } from "./parts.ts";
import words from "./open_markdown_file.md";
import { opener } from "./opening.ts";

/** Throws as `Workspace.open`. */
export function openMarkdownFile(parts: ArtifactToolParts): Tool {
  const recognised = { kind: "markdown", what: "Markdown" } as const;
  return opener(parts, { name: "open_markdown_file", words, recognise: async () => recognised });
}
