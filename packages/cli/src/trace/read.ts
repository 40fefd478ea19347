/** The events of a trace for whoever looks at it: a trace may come from anybody, so each is held against its shape. */

import { readSoundLog, type Event } from "@croft/harness";
import { z } from "zod";
import { createClock } from "./clock.ts";

/**
 * `at`: milliseconds of work since the trace began. No event: the line cannot be read, or is `raw` instead. `altered`: it
 * can, and was changed after it was written.
 */
export type TraceLine = { line: number; at: number; event: Event | undefined; raw?: unknown; altered: boolean };

const usage = z.object({ input: z.number(), cacheRead: z.number(), cacheWrite: z.number(), output: z.number() });
const failure = z.object({ code: z.string(), message: z.string(), remedy: z.optional(z.string()) });
const result = z.union([
  z.object({ pass: z.literal(true), note: z.optional(z.string()) }),
  z.object({ pass: z.literal(false), report: z.string() }),
]);

const action = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["read", "list"]), asked: z.string(), path: z.optional(z.string()) }),
  z.object({ kind: z.literal("search"), pattern: z.string(), asked: z.string(), path: z.optional(z.string()) }),
  z.object({
    kind: z.literal("write"),
    changes: z.array(z.object({ asked: z.string(), path: z.optional(z.string()), diff: z.string() })),
  }),
  z.object({
    kind: z.literal("run"),
    command: z.union([z.string(), z.array(z.string())]),
    cwd: z.string(),
    verdict: z.object({ rule: z.string() }),
    enclosed: z.boolean(),
    outside: z.optional(z.string()),
    hosts: z.array(z.string()),
  }),
]);

const inner = z.discriminatedUnion("type", [
  z.object({ type: z.literal("step"), step: z.number() }),
  z.object({ type: z.literal("compaction"), notes: z.string() }),
  z.object({ type: z.literal("tool_call"), name: z.string() }),
  z.object({ type: z.literal("tool_result"), ok: z.boolean(), preview: z.string() }),
  z.object({ type: z.literal("notice"), text: z.string() }),
]);

/** What is shown of those kinds of which a replay takes less. */
const shapes: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>(
  Object.entries({
    tool_result: z.object({ id: z.string(), name: z.string() }),
    step: z.object({ step: z.number() }),
    explored: z.object({ event: inner }),
    decision: z.object({
      action,
      verdict: z.object({ allowed: z.boolean(), by: z.enum(["rule", "person"]), note: z.optional(z.string()) }),
    }),
    check: z.object({ name: z.string(), result }),
    citation: z.object({ ref: z.string(), state: z.string(), reason: z.optional(z.string()) }),
    stop: z.object({
      status: z.string(),
      steps: z.number(),
      usage,
      answer: z.string(),
      failure: z.optional(failure),
    }),
  }),
);

/** After these another request or check begins; retries and what a check looks at lie within one. */
export function endsWork({ type }: Event): boolean {
  return ["start", "attachment", "message", "step", "compaction", "tool_result", "check"].includes(type);
}

/** Every line in order. Throws Failure E_LOG_UNREADABLE. */
export async function* traceLines(file: string): AsyncGenerator<TraceLine> {
  const clock = createClock();
  let at = 0;
  for await (const { line, event: logged, altered = false, raw } of readSoundLog(file)) {
    if (logged === undefined) {
      yield { line, at, event: undefined, raw, altered: false };
      continue;
    }
    at = clock(logged.ms);
    const { ms: _, ...event } = logged;
    const fits = shapes.get(event.type)?.safeParse(event).success ?? true;
    yield fits ? { line, at, event, altered } : { line, at, event: undefined, raw: logged, altered: false };
  }
}
