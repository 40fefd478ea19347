/** The rules of the API that go beyond shape: each finds the first thing wrong, as the API would say it. */

import type { Invented } from "../http/invented.ts";
import { imageComplaint } from "./images.ts";
import type { MessagesRequest, Surface, WireBlock, WireMessage } from "./request.ts";

/** The first breach of a rule, or undefined. */
export function ruleComplaint(
  request: MessagesRequest,
  betas: readonly string[],
  surface: Surface,
  madeUp: Invented,
): string | undefined {
  return (
    betaComplaint(request, betas, surface === "anthropic" ? knownBetas : new Set()) ??
    toolComplaint(request, madeUp) ??
    imageComplaint(request.messages) ??
    orderComplaint(request.messages) ??
    pairingComplaint(merged(request.messages))
  );
}

const knownBetas: ReadonlySet<string> = new Set([
  "context-management-2025-06-27",
  "thinking-display-updates-2026-08-18",
  "server-side-fallback-2026-07-01",
  "thinking-binding-controls-2026-08-01",
  "compact-2026-09-04",
]);

/** Each of these is refused without its header. */
function betaComplaint(
  request: MessagesRequest,
  betas: readonly string[],
  known: ReadonlySet<string>,
): string | undefined {
  const unknown = betas.find((beta) => !known.has(beta));
  if (unknown !== undefined) return `Unexpected value(s) \`${unknown}\` for the \`anthropic-beta\` header`;
  const needs = (beta: string, field: string, used: boolean): string | undefined =>
    used && !betas.includes(beta) ? `${field}: Extra inputs are not permitted` : undefined;
  if (request.compaction != null && request.context_management != null) {
    return "compaction: cannot be combined with context_management";
  }
  return (
    needs("context-management-2025-06-27", "context_management", request.context_management != null) ??
    needs("thinking-display-updates-2026-08-18", "thinking.display", request.thinking?.display === "updates") ??
    needs("thinking-binding-controls-2026-08-01", "thinking.block_binding", request.thinking?.block_binding != null) ??
    needs("server-side-fallback-2026-07-01", "fallbacks", request.fallbacks != null) ??
    needs("compact-2026-09-04", "compaction", request.compaction != null)
  );
}

function toolComplaint(
  { tools = [], tool_choice, messages, system = [], cache_control }: MessagesRequest,
  madeUp: Invented,
): string | undefined {
  const names = tools.map(({ name }) => name);
  if (new Set(names).size < names.length) return "tools: Tool names must be unique.";
  if (tool_choice?.type === "any" || tool_choice?.type === "tool") {
    return "tool_choice: forced tool use is not supported for this model";
  }
  const blocks = messages.flatMap(({ content }) => content);
  const isStranger = (name: string): boolean => !names.includes(name) && !madeUp.has(name);
  const stranger = blocks.find((block) => block.type === "tool_use" && isStranger(String(block["name"])));
  if (stranger !== undefined)
    return `messages: tool_use of \`${String(stranger["name"])}\`, which is not among the tools`;
  const breakpoints = [...tools, ...system, ...blocks, { cache_control }].filter(
    (block) => block.cache_control != null,
  );
  return breakpoints.length > 4 ? "A maximum of 4 blocks with cache_control may be provided." : undefined;
}

function orderComplaint(messages: readonly WireMessage[]): string | undefined {
  if (messages[0]?.role !== "user") return "messages: first message must use the user role";
  return undefined;
}

/** The API takes messages of one role in a row as one. */
function merged(messages: readonly WireMessage[]): { role: string; content: WireBlock[] }[] {
  const result: { role: string; content: WireBlock[] }[] = [];
  for (const { role, content } of messages) {
    const last = result.at(-1);
    if (last?.role === role) last.content.push(...content);
    else result.push({ role, content: [...content] });
  }
  return result;
}

function pairingComplaint(messages: readonly { role: string; content: WireBlock[] }[]): string | undefined {
  const seen = new Set<string>();
  for (const [index, { role, content }] of messages.entries()) {
    const calls = idsIn(content, "tool_use", "id");
    const twice = calls.find((id, at) => seen.has(id) || calls.indexOf(id) < at);
    if (twice !== undefined) return `messages.${index}: \`tool_use\` ids must be unique: ${twice}`;
    for (const id of calls) seen.add(id);
    const complaint =
      role === "user" ? resultsComplaint(content, messages[index - 1]?.content ?? [], index) : undefined;
    if (complaint !== undefined) return complaint;
    if (role === "assistant" && index === messages.length - 1 && calls.length > 0) return unanswered(index, calls);
  }
  return undefined;
}

function resultsComplaint(
  content: readonly WireBlock[],
  previous: readonly WireBlock[],
  index: number,
): string | undefined {
  const calls = idsIn(previous, "tool_use", "id");
  const results = idsIn(content, "tool_result", "tool_use_id");
  const unexpected = results.find((id) => !calls.includes(id));
  if (unexpected !== undefined) {
    return `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${unexpected}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
  }
  const twice = results.find((id, at) => results.indexOf(id) < at);
  if (twice !== undefined)
    return `messages.${index}: each tool_use must have a single result. Found several for: ${twice}`;
  const missing = calls.filter((id) => !results.includes(id));
  if (missing.length > 0) return unanswered(index - 1, missing);
  const firstOther = content.findIndex(({ type }) => type !== "tool_result");
  if (firstOther !== -1 && content.slice(firstOther).some(({ type }) => type === "tool_result")) {
    return `messages.${index}: \`tool_result\` blocks must come before any other content`;
  }
  return undefined;
}

function unanswered(index: number, ids: readonly string[]): string {
  return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}

function idsIn(content: readonly WireBlock[], type: string, key: "id" | "tool_use_id"): string[] {
  return content.filter((block) => block.type === type).map((block) => String(block[key]));
}
