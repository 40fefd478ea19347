import type { Setup } from "../event.ts";
import { codeTools } from "./code-tools.ts";

type Made = { setup?: Setup | undefined };

/** Tools that only the artifact assembly has. */
const authoring = ["stage_file", "save_media"];

/** The assembly that a turn was made with, told by its tools: one that only looks, or one that changes things. */
export function presetOf(made: Made): "ask" | "code" {
  return hasArtifacts(made) ||
    hasAll(
      made,
      codeTools.map(({ name }) => name),
    )
    ? "code"
    : "ask";
}

/** Whether a turn looked into things by handle, and changed them by staging. */
export function hasArtifacts(made: Made): boolean {
  return hasAll(made, authoring);
}

function hasAll({ setup }: Made, names: readonly string[]): boolean {
  const tools = new Set(setup?.tools.map(({ name }) => name));
  return names.every((name) => tools.has(name));
}
