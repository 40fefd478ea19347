/** The rules that go beyond shape: each finds the first thing wrong. */

import type { Invented } from "../http/invented.ts";
import type { ChatMessage, ChatRequest } from "./request.ts";

/** The first breach of a rule, or undefined. */
export function ruleComplaint(
  { messages, tools = [], stream, stream_options }: ChatRequest,
  madeUp: Invented,
): string | undefined {
  if (stream_options !== undefined && stream !== true) return "stream_options: only allowed when stream is enabled";
  const names = tools.map((tool) => tool.function.name);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) return `tools: the name ${twice} is used twice`;
  return orderComplaint(messages) ?? pairingComplaint(messages, (name) => names.includes(name) || madeUp.has(name));
}

function orderComplaint(messages: readonly ChatMessage[]): string | undefined {
  const roles = messages.map(({ role }) => role);
  if (roles.lastIndexOf("system") > 0) return "messages: the system message must be the first";
  const again = roles.findIndex((role, at) => (role === "user" || role === "assistant") && role === roles[at - 1]);
  if (again !== -1) return `messages.${again}: conversation roles must alternate`;
  const last = roles.at(-1);
  if (last !== "user" && last !== "tool") return "messages: the last one must be the user's or a tool's";
  return undefined;
}

function pairingComplaint(messages: readonly ChatMessage[], isKnown: (name: string) => boolean): string | undefined {
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const at = `messages.${index}`;
    if (message.role === "tool") {
      const { tool_call_id: id } = message;
      if (!open.includes(id))
        return `${at}: messages with role 'tool' must answer a preceding message with 'tool_calls': ${id}`;
      open = open.filter((one) => one !== id);
      continue;
    }
    if (open.length > 0) return `${at}: these tool_call_ids had no response messages: ${open.join(", ")}`;
    if (message.role !== "assistant") continue;
    const calls = message.tool_calls ?? [];
    if (calls.length === 0 && message.content == null) return `${at}: content or tool_calls must be set`;
    const unknown = calls.find((call) => !isKnown(call.function.name));
    if (unknown !== undefined) return `${at}: the function ${unknown.function.name} is not among the tools`;
    open = calls.map(({ id }) => id);
    const twice = open.find((id, place) => open.indexOf(id) < place);
    if (twice !== undefined) return `${at}: the id ${twice} is used twice`;
  }
  return undefined;
}
