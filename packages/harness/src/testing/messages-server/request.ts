/** The shape of a request to the Messages API, checked as strictly as the API checks it. */

import { z } from "zod";

type Marked = { cache_control?: object | null | undefined };
export type WireBlock = Marked & { type: string; [field: string]: unknown };
export type WireMessage = { role: "user" | "assistant"; content: WireBlock[] };
type WireTool = Marked & { name: string; [field: string]: unknown };

/** A request that passed; text given as a bare string has become a block. */
export type MessagesRequest = Marked & {
  model: string;
  max_tokens: number;
  messages: WireMessage[];
  system?: WireBlock[] | undefined;
  tools?: WireTool[] | undefined;
  tool_choice?: { type: string } | undefined;
  stream?: boolean | undefined;
  thinking?: { display?: string | null | undefined; block_binding?: object | null | undefined } | undefined;
  output_config?: { effort?: string | null | undefined } | undefined;
  context_management?: object | null | undefined;
  compaction?: object | null | undefined;
  fallbacks?: "default" | object[] | null | undefined;
};

export type Surface = "anthropic" | "compatible";

/** The request, or what is wrong with its shape, in the API's manner: `messages.0.content.1.text: …`. */
export function parseRequest(body: unknown, surface: Surface): { request: MessagesRequest } | { complaint: string } {
  const result = schemas[surface].safeParse(body, { reportInput: true });
  return result.success ? { request: result.data } : { complaint: complaintOf(result.error) };
}

const cacheControl = z.strictObject({ type: z.literal("ephemeral"), ttl: z.enum(["5m", "1h"]).optional() });
const cached = { cache_control: cacheControl.nullish() };

const text = z.strictObject({
  type: z.literal("text"),
  text: z.string().regex(/\S/, "text content blocks must be non-empty and hold more than whitespace"),
  ...cached,
});
const image = z.strictObject({
  type: z.literal("image"),
  source: z.strictObject({
    type: z.literal("base64"),
    media_type: z.enum(["image/jpeg", "image/png", "image/gif", "image/webp"]),
    data: z.base64(),
  }),
  ...cached,
});
const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/);
const toolId = z.string().regex(/^[a-zA-Z0-9_-]+$/);

const userBlock = z.discriminatedUnion("type", [
  text,
  image,
  z.strictObject({
    type: z.literal("tool_result"),
    tool_use_id: toolId,
    content: z.union([z.string(), z.array(z.discriminatedUnion("type", [text, image]))]).optional(),
    is_error: z.boolean().optional(),
    ...cached,
  }),
]);

const assistantShapes: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ["text", text],
  [
    "tool_use",
    z.strictObject({
      type: z.literal("tool_use"),
      id: toolId,
      name: toolName,
      input: z.record(z.string(), z.unknown()),
      ...cached,
    }),
  ],
  ["thinking", z.strictObject({ type: z.literal("thinking"), thinking: z.string(), signature: z.string().min(1) })],
]);

/** Blocks of other kinds pass here; the memory of what was said knows them. */
const assistantBlock = z.looseObject({ type: z.string() }).superRefine((block, context) => {
  const result = assistantShapes.get(block.type)?.safeParse(block);
  for (const issue of result?.error?.issues ?? []) {
    context.addIssue({ code: "custom", path: issue.path, message: issue.message });
  }
});

const asBlocks = (content: unknown): unknown =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;
const nonEmpty = "messages must have non-empty content";
const message = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("user"), content: z.preprocess(asBlocks, z.array(userBlock).min(1, nonEmpty)) }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.preprocess(asBlocks, z.array(assistantBlock).min(1, nonEmpty)),
  }),
]);

const plainTool = z.strictObject({
  name: toolName,
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal("object") }),
});
const tool = z.union([
  plainTool.extend({
    type: z.literal("custom").optional(),
    eager_input_streaming: z.boolean().optional(),
    strict: z.boolean().optional(),
    ...cached,
  }),
  // What the API itself has defined: by one name, and with nothing of one's own beside it.
  z.strictObject({ type: z.literal("bash_20250124"), name: z.literal("bash"), ...cached }),
  z.strictObject({
    type: z.literal("text_editor_20250728"),
    name: z.literal("str_replace_based_edit_tool"),
    max_characters: z.int().min(1).nullish(),
    ...cached,
  }),
]);

const plainFields = {
  model: z.string(),
  max_tokens: z.int().min(1),
  messages: z.array(message).min(1, "at least one message is required"),
  system: z.preprocess(asBlocks, z.array(text)).optional(),
  tools: z.array(plainTool).optional(),
  tool_choice: z.looseObject({ type: z.enum(["auto", "any", "tool", "none"]) }).optional(),
  stream: z.boolean().optional(),
  stop_sequences: z.array(z.string()).optional(),
  temperature: z.number().optional(),
  metadata: z.looseObject({}).optional(),
};

/** The plain API, which every server understands, and all that croft may ever ask the API itself for. */
const compatibleRequest: z.ZodType<MessagesRequest> = z.strictObject(plainFields);
const anthropicRequest: z.ZodType<MessagesRequest> = z.strictObject({
  ...plainFields,
  tools: z.array(tool).optional(),
  cache_control: cacheControl.nullish(),
  thinking: z
    .strictObject({
      type: z.literal("adaptive", "thinking cannot be turned off for this model"),
      display: z.enum(["summarized", "omitted", "updates"]).nullish(),
      block_binding: z.looseObject({}).nullish(),
    })
    .optional(),
  output_config: z.strictObject({ effort: z.enum(["low", "medium", "high", "xhigh", "max"]).nullish() }).optional(),
  context_management: z
    .strictObject({
      edits: z.array(
        z.looseObject({ type: z.enum(["clear_tool_uses_20250919", "clear_thinking_20251015", "compact_20260112"]) }),
      ),
    })
    .nullish(),
  compaction: z.looseObject({}).nullish(),
  fallbacks: z.union([z.literal("default"), z.array(z.looseObject({ model: z.string() }))]).nullish(),
});

const schemas: Readonly<Record<Surface, z.ZodType<MessagesRequest>>> = {
  anthropic: anthropicRequest,
  compatible: compatibleRequest,
};

function complaintOf(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return "invalid request";
  const path = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    return `${[path, ...issue.keys].filter((part) => part !== "").join(".")}: Extra inputs are not permitted`;
  }
  if (issue.code === "invalid_type" && issue.input === undefined) return `${path}: Field required`;
  return `${path}: ${issue.message}`;
}
