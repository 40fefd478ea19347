/** croft's messages in the shape of the Chat Completions API. This is the only place that knows both. */

import { sameOrigin, textOf, toolUsesOf } from "../../message.ts";
import type { AssistantMessage, ImageBlock, Origin, TextBlock, ToolUseBlock, UserMessage } from "../../message.ts";
import { fieldsOf, isObject, type Fields } from "../../json.ts";
import type { ModelRequest, ToolSpec } from "../model.ts";
import { extrasOf, isOfCall } from "./call-extras.ts";

/** In what compatible servers differ. */
export type Capabilities = {
  /** The field that limits the output: some servers know only the old name, some models only the new one. */
  limit: "max_tokens" | "max_completion_tokens";
  /** Takes images, as data URLs. */
  images: boolean;
  /** Knows `stream_options`, without which most servers do not report usage. */
  usage: boolean;
  /** Wants the model's reasoning back with every assistant message, as DeepSeek does. */
  reasoning: boolean;
};

export type Settings = { model: string; origin: Origin; output: number; capabilities: Capabilities };

type Part = { type: "text"; text: string } | { type: "image_url"; image_url: { url: string } };
type WireCall = {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
  [extra: string]: unknown;
};
export type WireMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string | Part[] }
  | { role: "assistant"; content: string | null; tool_calls?: WireCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

const words = {
  blindImage: "(an image, which this model is not shown)",
  imageBelow: "(an image: see the next message)",
  error: "Error: ",
};

/** The body of the request, ready for JSON. */
export function toWire(request: ModelRequest, settings: Settings): object {
  const { model, output, capabilities } = settings;
  return {
    model,
    messages: messagesToWire(request, settings),
    ...(request.tools.length > 0 && { tools: request.tools.map(toolToWire) }),
    [capabilities.limit]: Math.min(request.maxTokens, output),
    stream: true,
    ...(capabilities.usage && { stream_options: { include_usage: true } }),
  };
}

function toolToWire({ name, description, schema }: ToolSpec): object {
  return { type: "function", function: { name, description, parameters: { type: "object", ...schema } } };
}

/** The messages of the body: the rules first, one for each result, and what a user says besides in one. */
export function messagesToWire({ system, messages }: ModelRequest, settings: Settings): WireMessage[] {
  const wire: WireMessage[] = [];
  const rules = system.map(({ text }) => text).join("\n\n");
  if (rules.trim() !== "") wire.push({ role: "system", content: rules });
  for (const message of messages) {
    if (message.role === "assistant") addAssistant(wire, message, settings);
    else addUser(wire, message, settings.capabilities.images);
  }
  return wire;
}

/**
 * A message of which nothing is left to send is left out. What a model says in a row, as where a line of a session is
 * lost between, is one message.
 */
function addAssistant(wire: WireMessage[], message: AssistantMessage, settings: Settings): void {
  const text = textOf(message);
  const calls = toolUsesOf(message);
  if (text === "" && calls.length === 0) return;
  const before = wire.at(-1)?.role === "assistant" ? wire.pop() : undefined;
  const saidBefore = typeof before?.content === "string" ? before.content : "";
  const extras = sameOrigin(message.origin, settings.origin) ? extrasOf(message.content) : undefined;
  const said = [saidBefore, text].filter((part) => part !== "").join("\n\n");
  wire.push({
    role: "assistant",
    content: said === "" ? null : said,
    ...(settings.capabilities.reasoning && reasoningOf(message, settings.origin)),
    ...(calls.length > 0 && { tool_calls: calls.map((call) => ({ ...callToWire(call), ...extras?.get(call) })) }),
  });
}

/** The reasoning as it came; a server that wants it back misses it even where there was none. */
function reasoningOf({ content, origin }: AssistantMessage, home: Origin): Fields {
  const isHome = sameOrigin(origin, home);
  const thought = isHome ? content.find((block) => block.type === "opaque" && !isOfCall(block)) : undefined;
  return { reasoning_content: "", ...(thought?.type === "opaque" && fieldsOf(thought.raw)) };
}

/** Servers parse the arguments again, and templates expect an object: what was none is shown as the text it was. */
function callToWire({ id, name, input }: ToolUseBlock): WireCall {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  const object = isObject(input) ? input : { INVALID_JSON: text };
  return { id, type: "function", function: { name, arguments: JSON.stringify(object) } };
}

/**
 * Results are messages of their own, of text alone; what else a user says, images of results included, follows them.
 */
function addUser(wire: WireMessage[], message: UserMessage, images: boolean): void {
  const parts: Part[] = [];
  for (const block of message.content) {
    if (block.type === "tool_result") {
      const shown = block.content.filter((part): part is ImageBlock => part.type === "image");
      if (images) parts.push(...shown.map(imageToWire));
      const text = block.content.map((part) => resultText(part, images)).join("\n");
      wire.push({
        role: "tool",
        tool_call_id: block.toolUseId,
        content: (block.isError ? words.error : "") + (text === "" ? "(empty)" : text),
      });
    } else if (block.type === "text") {
      if (block.text.trim() !== "") parts.push({ type: "text", text: block.text });
    } else {
      parts.push(images ? imageToWire(block) : { type: "text", text: words.blindImage });
    }
  }
  if (parts.length > 0) addParts(wire, parts);
}

/** Templates of local models insist that roles take turns: what a user says in a row is one message. */
function addParts(wire: WireMessage[], parts: Part[]): void {
  const last = wire.at(-1);
  if (last?.role !== "user") {
    wire.push({ role: "user", content: plain(parts) });
    return;
  }
  const before: Part[] = typeof last.content === "string" ? [{ type: "text", text: last.content }] : last.content;
  last.content = plain([...before, ...parts]);
}

/** Many servers take only a string where there is nothing but text. */
function plain(parts: Part[]): string | Part[] {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === parts.length ? texts.join("\n\n") : parts;
}

function resultText(part: TextBlock | ImageBlock, images: boolean): string {
  if (part.type === "text") return part.text;
  return images ? words.imageBelow : words.blindImage;
}

function imageToWire({ mediaType, base64 }: ImageBlock): Part {
  return { type: "image_url", image_url: { url: `data:${mediaType};base64,${base64}` } };
}
