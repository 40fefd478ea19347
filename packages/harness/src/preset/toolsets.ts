/** The ways to work in a project, by name. */

import type { Setup } from "../event.ts";
import type { Toolset } from "./toolset/toolset.ts";

/** ask: it only looks. code: our own tools. artifact: by handle and staging. anthropic: the tools Anthropic has defined. */
export type ToolsetName = "ask" | "code" | "artifact" | "anthropic";

/** All names, the usual one first. */
export const toolsetNames: readonly ToolsetName[] = ["code", "ask", "artifact", "anthropic"];

/** Each is loaded when it is named: the others need not be waited for. */
const toolsets: Readonly<Record<ToolsetName, () => Promise<Toolset>>> = {
  ask: async () => (await import("./toolset/ask.ts")).askToolset,
  code: async () => (await import("./toolset/code.ts")).codeToolset,
  artifact: async () => (await import("./toolset/artifact.ts")).artifactToolset,
  anthropic: async () => (await import("./toolset/anthropic.ts")).anthropicToolset,
};

export function toolsetNamed(name: ToolsetName): Promise<Toolset> {
  return toolsets[name]();
}

/** Tools by which a session tells what it was begun with, in the order in which they are looked for. */
const marks: readonly (readonly [ToolsetName, readonly string[]])[] = [
  ["artifact", ["stage_file", "save_media"]],
  ["anthropic", ["str_replace_based_edit_tool"]],
  ["code", ["list_files", "read_file", "search", "edit_file", "write_file", "apply_patch"]],
];

/** What a turn was made with, told by its tools. */
export function presetOf({ setup }: { setup?: Setup | undefined }): ToolsetName {
  const tools = new Set(setup?.tools.map(({ name }) => name));
  const [name] = marks.find(([, needed]) => needed.every((mark) => tools.has(mark))) ?? ["ask"];
  return name;
}
