/**
 * What a turn is given, as its start event keeps it: enough for a replay to give it again, and to tell that it changed.
 */

import type { Setup } from "../event.ts";
import { specOf } from "../tool/tool.ts";
import type { AgentOptions } from "./agent.ts";

export function setupOf({ budget, maxTokens, model, system, tools }: AgentOptions): Setup {
  const { steps, tokens, ms } = budget;
  const { context, images, wantsAllResults } = model;
  return {
    budget: { steps, tokens, ms },
    maxTokens,
    window: { context, images, wantsAllResults },
    system,
    tools: tools.map(specOf),
  };
}
