/** What a turn is given, as its start event keeps it: enough for a replay to give it again, and to tell that it changed. */

import { crc32 } from "node:zlib";
import type { Setup } from "../event.ts";
import type { AgentOptions } from "./agent.ts";

export function setupOf({ budget, maxTokens, system, tools }: AgentOptions): Setup {
  const { steps, tokens, ms } = budget;
  return {
    budget: { steps, tokens, ms },
    maxTokens,
    system,
    tools: Object.fromEntries(
      tools.map(({ name, description, schema }) => [name, digest([name, description, schema])]),
    ),
  };
}

/** Tells a change, which nobody has a reason to hide. node:crypto would take longer to load than all of this turn's start. */
function digest(value: unknown): string {
  return crc32(JSON.stringify(value)).toString(16).padStart(8, "0");
}
