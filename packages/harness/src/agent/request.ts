/** What the model is asked next: the frozen part, and the view of the session. */

import type { Message } from "../message.ts";
import type { ModelRequest } from "../model/model.ts";
import { specOf } from "../tool/tool.ts";
import { viewOf } from "./context.ts";
import { resultLimitsFor } from "./old-results.ts";
import type { RunningTurn } from "./turn.ts";

type Asking = Pick<RunningTurn, "start"> & {
  options: Pick<RunningTurn["options"], "model" | "system" | "tools" | "maxTokens">;
  session: Pick<RunningTurn["session"], "offered" | "rejected">;
};

/** The request of this turn, were these the messages of its session. */
export function requestFor(messages: readonly Message[], { options, session, start }: Asking): ModelRequest {
  const { model, system, tools, maxTokens } = options;
  return {
    system,
    tools: tools.map(specOf),
    messages: viewOf(messages, {
      tools,
      model: model.id,
      images: model.images,
      results: model.wantsAllResults === true ? undefined : resultLimitsFor(model.context),
      turnStart: start,
      offered: session.offered,
      rejected: session.rejected,
    }),
    maxTokens,
  };
}
