/** What the ways to work in a project are called, and how a session tells which of them it was begun with. */

import type { ToolSpec } from "../model/model.ts";

/** ask: it only looks. code: our own tools. artifact: by handle and staging. anthropic: the tools Anthropic has defined. */
export type ToolsetName = "ask" | "code" | "artifact" | "anthropic";

/** All names, the usual one first. */
export const toolsetNames: readonly ToolsetName[] = ["code", "ask", "artifact", "anthropic"];

/** Names of tools that only these have. Kept apart from the tools, which need not be loaded to be told by their names. */
const marks: readonly (readonly [ToolsetName, readonly string[]])[] = [
  ["artifact", ["stage_file", "save_media"]],
  ["anthropic", ["str_replace_based_edit_tool"]],
  ["code", ["edit_file", "write_file"]],
];

/** As events have it. */
type Made = { setup?: { tools: readonly Pick<ToolSpec, "name">[] } | undefined };

/** What a turn was made with, told by its tools. */
export function presetOf({ setup }: Made): ToolsetName {
  const tools = new Set(setup?.tools.map(({ name }) => name));
  const found = marks.find(([, names]) => names.every((name) => tools.has(name)));
  return found?.[0] ?? "ask";
}
