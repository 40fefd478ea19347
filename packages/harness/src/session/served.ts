/**
 * The shape of the events that a replay serves to a run, and a session is folded from: a line that says less is as good
 * as unreadable. Loaded by whoever reads a log: to make the shapes takes a start longer than all else in session/.
 */

import { z } from "zod";

const text = z.object({ type: z.literal("text"), text: z.string() });
const image = z.object({ type: z.literal("image"), mediaType: z.string(), base64: z.string() });
const call = z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.unknown() });
const opaque = z.object({ type: z.literal("opaque"), raw: z.unknown() });
const result = z.object({
  type: z.literal("tool_result"),
  toolUseId: z.string(),
  content: z.array(z.discriminatedUnion("type", [text, image])),
  isError: z.boolean(),
});
const message = z.discriminatedUnion("role", [
  z.object({ role: z.literal("user"), content: z.array(z.discriminatedUnion("type", [text, image, result])) }),
  z.object({
    role: z.literal("assistant"),
    content: z.array(z.discriminatedUnion("type", [text, call, opaque])),
    origin: z.object({ provider: z.string(), model: z.string() }),
  }),
]);
const usage = z.object({ input: z.number(), cacheRead: z.number(), cacheWrite: z.number(), output: z.number() });
const stops = ["end_turn", "tool_use", "max_tokens", "refusal", "pause", "context_full", "aborted"];
const stop = z.union([
  z.enum(stops),
  z.object({
    failed: z.object({ code: z.string(), message: z.string(), remedy: z.optional(z.string()) }),
    named: z.optional(z.object({ message: z.number(), blocks: z.array(z.number()) })),
  }),
  z.object({ unknown: z.string() }),
]);
const budget = z.object({ steps: z.number(), tokens: z.number(), ms: z.number() });
const tool = z.object({ name: z.string(), description: z.string() });
const window = z.object({ context: z.number(), images: z.boolean(), wantsAllResults: z.optional(z.boolean()) });
const setup = z.object({
  budget,
  maxTokens: z.number(),
  window: z.optional(window),
  system: z.array(text),
  tools: z.array(tool),
});
const shown = z.object({ path: z.string(), hash: z.string(), from: z.number(), to: z.number(), via: z.string() });
const hunk = z.object({ from: z.number(), removed: z.number(), to: z.number(), added: z.number() });
const landed = z.object({
  path: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
  hunks: z.array(hunk),
});
const cited = z.object({ path: z.string(), lines: z.array(z.string()), total: z.number() });

const dollars = z.optional(z.number());
const explored = z.discriminatedUnion("type", [
  z.object({ type: z.literal("step"), usage, dollars, stop }),
  z.object({ type: z.literal("compaction"), usage, dollars, stop }),
  z.object({ type: z.enum(["tool_call", "tool_result", "notice"]) }),
]);

const shapes: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>(
  Object.entries({
    rejected: z.object({ block: z.string(), what: z.string(), reason: z.string() }),
    start: z.object({
      session: z.string(),
      root: z.string(),
      model: z.string(),
      task: z.string(),
      earlier: z.optional(z.object({ turns: z.number(), dollars })),
      setup: z.optional(setup),
    }),
    message: z.object({ message }),
    step: z.object({
      usage,
      dollars,
      stop,
      badInputs: z.optional(z.record(z.string(), z.string())),
      partial: z.optional(z.string()),
    }),
    compaction: z.object({
      notes: z.string(),
      usage,
      dollars,
      stop,
      replaced: z.optional(z.object({ upTo: z.number(), by: message })),
    }),
    explored: z.object({ id: z.string(), event: explored }),
    tool_call: z.object({ id: z.string(), name: z.string() }),
    tool_result: z.object({
      ok: z.boolean(),
      chars: z.number(),
      preview: z.string(),
      shown: z.optional(z.array(shown)),
      landed: z.optional(z.array(landed)),
    }),
    attachment: z.object({
      name: z.string(),
      ok: z.boolean(),
      chars: z.number(),
      preview: z.string(),
      shown: z.optional(z.array(shown)),
    }),
    steered: z.object({ text: z.string() }),
    lines: z.object({ path: z.string(), from: z.number(), to: z.number(), found: z.optional(cited) }),
    notice: z.object({ code: z.string(), text: z.string() }),
    interrupted: z.object({ by: z.enum(["cancelled", "timeout"]) }),
    stop: z.object({ dollars }),
  }),
);

export type IsServable = (event: { type: string }) => boolean;

/** Whether an event of a log holds all that a replay takes from it. Kinds that it takes nothing from always do. */
export function isServable(event: { type: string }): boolean {
  return shapes.get(event.type)?.safeParse(event).success ?? true;
}
