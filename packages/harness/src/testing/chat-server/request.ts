/** The shape of a request to the Chat Completions API, checked more strictly than any one server does. */

import { z } from "zod";

type ChatCall = { id: string; type: "function"; function: { name: string; arguments: string } };
type ChatPartIn = { type: "text"; text: string } | { type: "image_url"; image_url: { url: string } };
export type ChatMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string | ChatPartIn[] }
  | {
      role: "assistant";
      content?: string | null | undefined;
      tool_calls?: ChatCall[] | undefined;
      [field: string]: unknown;
    }
  | { role: "tool"; tool_call_id: string; content: string };

export type ChatRequest = {
  model: string;
  messages: ChatMessage[];
  tools?: { type: "function"; function: { name: string } }[] | undefined;
  max_tokens?: number | undefined;
  max_completion_tokens?: number | undefined;
  stream?: boolean | undefined;
  stream_options?: { include_usage?: boolean | undefined } | undefined;
};

/** What this server takes beyond the plain API. */
export type Surface = {
  limit: "max_tokens" | "max_completion_tokens";
  images: boolean;
  /** Demands `reasoning_content` of every assistant message; otherwise it refuses it. */
  reasoning: boolean;
  /** Demands of every call the signature it came with, in `extra_content`; otherwise it refuses it. */
  signatures: boolean;
};

/** The request, or what is wrong with its shape. */
export function parseRequest(body: unknown, surface: Surface): { request: ChatRequest } | { complaint: string } {
  const result = requestSchema(surface).safeParse(body);
  if (result.success) return { request: result.data };
  const [issue] = result.error.issues;
  return { complaint: `${issue?.path.join(".")}: ${issue?.message}` };
}

const visible = z.string().regex(/\S/, "content must not be empty");
const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);

const plainCall = z.strictObject({
  id: z.string().min(1, "a call needs an id"),
  type: z.literal("function"),
  function: z.strictObject({
    name: toolName,
    arguments: z.string().refine(isJsonObject, "arguments must be a JSON object, as text"),
  }),
});
const signature = z.strictObject({ thought_signature: z.string("the function call is missing a thought_signature") });
const signedCall = plainCall.extend({ extra_content: z.strictObject({ google: signature }) });

const text = z.strictObject({ type: z.literal("text"), text: visible });
const image = z.strictObject({
  type: z.literal("image_url"),
  image_url: z.strictObject({ url: z.string().regex(/^data:image\/[a-z+]+;base64,[A-Za-z0-9+/=]+$/) }),
});

function requestSchema({ limit, images, reasoning, signatures }: Surface): z.ZodType<ChatRequest> {
  const thought = reasoning
    ? { reasoning_content: z.string("the reasoning_content must be passed back"), reasoning: z.string().optional() }
    : {};
  const message = z.discriminatedUnion("role", [
    z.strictObject({ role: z.literal("system"), content: visible }),
    z.strictObject({
      role: z.literal("user"),
      content: z.union([visible, z.array(images ? z.union([text, image]) : text).min(1)]),
    }),
    z.strictObject({
      role: z.literal("assistant"),
      content: visible.nullish(),
      tool_calls: z
        .array(signatures ? signedCall : plainCall)
        .min(1)
        .optional(),
      ...thought,
    }),
    z.strictObject({ role: z.literal("tool"), tool_call_id: z.string(), content: visible }),
  ]);
  return z.strictObject({
    model: z.string(),
    messages: z.array(message).min(1),
    tools: z
      .array(
        z.strictObject({
          type: z.literal("function"),
          function: z.strictObject({
            name: toolName,
            description: z.string().optional(),
            parameters: z.looseObject({ type: z.literal("object") }),
          }),
        }),
      )
      .min(1)
      .optional(),
    max_tokens: limit === "max_tokens" ? z.int().min(1) : z.undefined().optional(),
    max_completion_tokens: limit === "max_tokens" ? z.undefined().optional() : z.int().min(1),
    stream: z.boolean().optional(),
    stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  });
}

function isJsonObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
