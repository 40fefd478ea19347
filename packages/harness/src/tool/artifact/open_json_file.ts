/** The tool that opens a JSON file. */

import { documentIn, firstValueIn, jsonKindOf } from "../../artifact/json/document.ts";
import { kindOf } from "../../artifact/json/show.ts";
import { linesIn } from "../../artifact/lines.ts";
import type { HeldFile } from "../../workspace/held.ts";
import type { Tool } from "../tool.ts";
import type { ArtifactToolParts } from "./parts.ts";
import words from "./open_json_file.md";
import { opener, type Recognised } from "./opening.ts";

/** Throws as `Workspace.open`, E_BAD_JSON, E_TOO_LARGE. */
export function openJsonFile(parts: ArtifactToolParts): Tool {
  return opener(parts, { name: "open_json_file", words, recognise });
}

/** A document is read once, so that one that is none is told at once. */
async function recognise(file: HeldFile, signal: AbortSignal): Promise<Recognised> {
  const lined = { file, lines: linesIn(file) };
  const kind = await jsonKindOf(lined, signal);
  if (kind === "json") {
    const { bytes, span } = await documentIn(file, signal);
    return { kind, what: `JSON: ${kindOf(bytes, span)}` };
  }
  const value = await firstValueIn(lined, 1, signal);
  if (value === undefined) return { kind, what: "JSON Lines: empty" };
  return { kind, what: `JSON Lines, the first: ${"bad" in value ? value.bad : kindOf(value.bytes, value.span)}` };
}
