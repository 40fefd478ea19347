/** What the model is asked next: the frozen part, and the view of the session. */

import type { Message } from "../message.ts";
import type { ModelRequest } from "../model/model.ts";
import type { AgentOptions } from "./agent.ts";
import { viewOf } from "./context.ts";
import { resultLimitsFor } from "./old-results.ts";

type Asked = Pick<AgentOptions, "model" | "system" | "tools" | "maxTokens">;

/** `start`: where the present turn begins among the messages. */
export function requestFor(
  messages: readonly Message[],
  start: number,
  { model, system, tools, maxTokens }: Asked,
): ModelRequest {
  return {
    system,
    tools: tools.map(({ name, description, schema }) => ({ name, description, schema })),
    messages: viewOf(messages, {
      tools,
      model: model.id,
      images: model.images,
      results: model.wantsAllResults === true ? undefined : resultLimitsFor(model.context),
      turnStart: start,
    }),
    maxTokens,
  };
}
