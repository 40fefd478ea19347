import type { Setup } from "../event.ts";
import { codeTools } from "./code-tools.ts";

/** The assembly that a turn was made with, told by its tools. */
export function presetOf({ setup }: { setup?: Setup | undefined }): "ask" | "code" {
  const tools = new Set(setup?.tools.map(({ name }) => name));
  return codeTools.every(({ name }) => tools.has(name)) ? "code" : "ask";
}
