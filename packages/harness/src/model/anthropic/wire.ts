/** croft's messages in the shape of the Messages API. This is the only place that knows both. */

import type {
  BetaBase64ImageSource,
  BetaContentBlockParam,
  BetaImageBlockParam,
  BetaMessageParam,
  BetaTextBlockParam,
  BetaToolResultBlockParam,
  BetaToolUnion,
  MessageCreateParamsStreaming,
} from "@anthropic-ai/sdk/resources/beta/messages/messages.js";
import {
  sameOrigin,
  type ImageBlock,
  type Message,
  type Origin,
  type TextBlock,
  type ToolResultBlock,
} from "../../message.ts";
import type { ModelRequest, ToolSpec } from "../model.ts";
import { isObject } from "../../json.ts";

/** What the server offers beyond the plain API. Compatible servers are asked for none of it. */
export type Capabilities = {
  /** Features behind beta headers: context editing, eager tool input, server-side fallbacks. */
  betas: boolean;
  caching: boolean;
  /** Adaptive thinking, its progress updates, and effort. */
  thinking: boolean;
  /** The tools that Anthropic has defined itself. */
  definedTools: boolean;
};

export type Effort = "low" | "medium" | "high" | "xhigh" | "max";
export type Settings = {
  model: string;
  capabilities: Capabilities;
  effort: Effort;
  fallbacks: boolean;
  origin: Origin;
};

const cacheControl = { type: "ephemeral" } as const;

/** At 150k tokens old tool results go, the last ten stay; it is not worth a new cache for less than 40k. */
const contextEditing = {
  edits: [
    {
      type: "clear_tool_uses_20250919",
      trigger: { type: "input_tokens", value: 150_000 },
      keep: { type: "tool_uses", value: 10 },
      clear_at_least: { type: "input_tokens", value: 40_000 },
    },
  ],
} satisfies MessageCreateParamsStreaming["context_management"];

/** The request as the official client takes it. */
export function toWire(request: ModelRequest, settings: Settings): MessageCreateParamsStreaming {
  const { model, capabilities, effort, fallbacks, origin } = settings;
  const { betas, caching, thinking, definedTools } = capabilities;
  const useFallbacks = betas && fallbacks;
  const names = [
    ...(betas ? ["context-management-2025-06-27"] : []),
    ...(betas && thinking ? ["thinking-display-updates-2026-08-18"] : []),
    ...(useFallbacks ? ["server-side-fallback-2026-07-01"] : []),
  ];
  const system = request.system.flatMap(textToWire);
  const last = system.at(-1);
  if (caching && last !== undefined) last.cache_control = cacheControl;
  return {
    model,
    max_tokens: request.maxTokens,
    stream: true,
    ...(system.length > 0 && { system }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map((tool) => (definedTools ? definedTool(tool) : undefined) ?? toolToWire(tool, betas)),
    }),
    messages: request.messages.flatMap((message) => messageToWire(message, origin)),
    ...(caching && { cache_control: cacheControl }),
    ...(thinking && {
      thinking: betas ? { type: "adaptive", display: "updates" } : { type: "adaptive" },
      output_config: { effort },
    }),
    ...(betas && { context_management: contextEditing }),
    ...(useFallbacks && { fallbacks: "default" as const }),
    ...(names.length > 0 && { betas: names }),
  };
}

/** What says all of a tool that the service has defined: it takes neither words nor a schema beside it. */
function definedTool({ wire }: ToolSpec): BetaToolUnion | undefined {
  switch (wire?.type) {
    case "bash_20250124":
      return { type: "bash_20250124", name: "bash" };
    case "text_editor_20250728":
      return { type: "text_editor_20250728", name: "str_replace_based_edit_tool" };
    default:
      return undefined;
  }
}

/** Eagerly streamed input arrives as it is written instead of in one piece at the end. */
function toolToWire({ name, description, schema }: ToolSpec, eager: boolean): BetaToolUnion {
  const input_schema = { type: "object" as const, ...schema };
  return { name, description, input_schema, ...(eager && { eager_input_streaming: true }) };
}

/** A message of which nothing is left to send is left out. */
function messageToWire(message: Message, origin: Origin): BetaMessageParam[] {
  const content = message.content.flatMap((block) => blockToWire(block, message, origin));
  return content.length === 0 ? [] : [{ role: message.role, content }];
}

function blockToWire(block: Message["content"][number], message: Message, origin: Origin): BetaContentBlockParam[] {
  switch (block.type) {
    case "text":
      return textToWire(block);
    case "image":
      return [imageToWire(block)];
    case "tool_use":
      return [{ type: "tool_use", id: block.id, name: block.name, input: inputToWire(block.input) }];
    case "tool_result":
      return [resultToWire(block)];
    default:
      return isFrom(message, origin) && isBlock(block.raw) ? [block.raw] : [];
  }
}

/** An input that was no object is shown as the text it was, under the name the API's documents give to such text. */
function inputToWire(input: unknown): Record<string, unknown> {
  if (isObject(input)) return input;
  return { INVALID_JSON: typeof input === "string" ? input : JSON.stringify(input) };
}

/** The API refuses blocks of text without a visible character. */
function textToWire({ text }: TextBlock): BetaTextBlockParam[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

function imageToWire({ mediaType, base64 }: ImageBlock): BetaImageBlockParam | BetaTextBlockParam {
  if (!isImageType(mediaType)) return { type: "text", text: `(an image the service does not take: ${mediaType})` };
  return { type: "image", source: { type: "base64", media_type: mediaType, data: base64 } };
}

function resultToWire({ toolUseId, content, isError }: ToolResultBlock): BetaToolResultBlockParam {
  return {
    type: "tool_result",
    tool_use_id: toolUseId,
    content: content.flatMap<BetaImageBlockParam | BetaTextBlockParam>((block) =>
      block.type === "text" ? textToWire(block) : [imageToWire(block)],
    ),
    ...(isError && { is_error: true }),
  };
}

function isFrom(message: Message, origin: Origin): boolean {
  if (message.role !== "assistant") return false;
  return sameOrigin(message.origin, origin);
}

/** A block that came from the service is a block it takes; croft never looks inside. */
function isBlock(raw: unknown): raw is BetaContentBlockParam {
  return isObject(raw) && typeof raw["type"] === "string";
}

function isImageType(mediaType: string): mediaType is BetaBase64ImageSource["media_type"] {
  return ["image/png", "image/jpeg", "image/gif", "image/webp"].includes(mediaType);
}
