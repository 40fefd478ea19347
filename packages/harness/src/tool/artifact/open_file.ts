/** The tool that opens a text file. */

import type { Tool } from "../tool.ts";
import type { Desk } from "./desk.ts";
import words from "./open_file.md";
import { opener } from "./opening.ts";

/** Throws as `Workspace.open`. */
export function openFile(desk: Desk): Tool {
  return opener(desk, { name: "open_file", words, recognise: async () => ({ kind: "text", what: "text" }) });
}
