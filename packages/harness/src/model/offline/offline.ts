/**
 * A model without a service: rules instead of a network. It sees what its tools return and nothing else, and the same
 * request always gets the same reply.
 */

import { noUsage, originOf, type TextBlock, type ToolUseBlock } from "../../message.ts";
import type { Model, ModelRequest, Reply } from "../model.ts";
import { conversationOf } from "./conversation.ts";
import type { Language } from "./language.ts";
import { languages as known } from "./languages.ts";
import { nextStep } from "./plan.ts";

const id = "offline";

/**
 * Answers where names are defined and used, where a text stands, and what a file or folder holds; says so of all else.
 * `languages`: what it reads as code, of two for one file ending the first; more are added as
 * `offline([...mine, ...offlineLanguages])`.
 */
export function offline(languages: readonly Language[] = known): Model {
  return {
    id,
    context: 1_000_000,
    wantsAllResults: true,
    output: 64_000,
    images: false,
    respond(request, sink, signal) {
      const reply = signal.aborted ? replyOf([], "aborted") : replyTo(request, languages);
      for (const block of reply.message.content) if (block.type === "text") sink({ type: "text", text: block.text });
      return Promise.resolve(reply);
    },
  };
}

function replyTo(request: ModelRequest, languages: readonly Language[]): Reply {
  const conversation = conversationOf(request, languages);
  const step = nextStep(conversation);
  if ("answer" in step) return replyOf([{ type: "text", text: step.answer }], "end_turn");
  const calls = step.calls.map(({ name, input }, i): ToolUseBlock => {
    return { type: "tool_use", id: `offline_${conversation.calls + i + 1}`, name, input };
  });
  return replyOf(calls, "tool_use");
}

/** No tokens were spent: there is no service to spend them. */
function replyOf(content: (TextBlock | ToolUseBlock)[], stop: Reply["stop"]): Reply {
  return {
    message: { role: "assistant", content, origin: originOf(id) },
    usage: noUsage,
    stop,
    badInputs: new Map(),
  };
}
