/** What a turn is given, as its start event keeps it: enough for a replay to give it again, and to tell that it changed. */

import { createHash } from "node:crypto";
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

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
}
