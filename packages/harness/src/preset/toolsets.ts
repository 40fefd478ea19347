/** The ways to work in a project, by name. */

import type { ToolsetName } from "./toolset-names.ts";
import type { Toolset } from "./toolset.ts";

/** Each is loaded when it is named: whoever works with one need not wait for the schemas of the others' tools. */
const loads: Readonly<Record<ToolsetName, () => Promise<Toolset>>> = {
  artifact: async () => (await import("./toolsets/artifact.ts")).artifact,
  anthropic: async () => (await import("./toolsets/anthropic.ts")).anthropic,
  code: async () => (await import("./toolsets/code.ts")).code,
  ask: async () => (await import("./toolsets/ask.ts")).ask,
};

/** The toolset of a name; it is loaded when it is first asked for. */
export function loadToolset(name: ToolsetName): Promise<Toolset> {
  return loads[name]();
}
