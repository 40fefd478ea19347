/** Prefix caching as the API does it, with four bytes a token. */

import { createHash } from "node:crypto";
import type { MessagesRequest } from "./request.ts";

export type PromptTokens = { input: number; cacheRead: number; cacheWrite: number };

export interface PromptCache {
  /** Counts the prompt of a request, reading from and adding to the cache. */
  count(request: MessagesRequest): PromptTokens;
}

/** How many blocks before a breakpoint the API looks for an older entry. */
const lookback = 20;

type Place = { bytes: number; digest: string; isBreakpoint: boolean };

/**
 * A prompt is tools, then system, then messages; its entries end at breakpoints. A request reads the longest entry that
 * one of its own breakpoints reaches, and writes what follows up to its last breakpoint.
 */
export function promptCache(): PromptCache {
  const entries = new Set<string>();

  return {
    count: (request) => {
      const places = placesOf(request);
      const breakpoints = [...places.entries()].filter(([, { isBreakpoint }]) => isBreakpoint).map(([index]) => index);
      const reachable = places.map(({ digest }, index) =>
        entries.has(digest) ? breakpoints.some((at) => at >= index && at - index <= lookback) : false,
      );
      const hit = places[reachable.lastIndexOf(true)]?.bytes ?? 0;
      const written = Math.max(hit, places[breakpoints.at(-1) ?? -1]?.bytes ?? 0);
      for (const at of breakpoints) entries.add(places[at]?.digest ?? "");
      const total = places.at(-1)?.bytes ?? 0;
      return { input: tokens(total - written), cacheRead: tokens(hit), cacheWrite: tokens(written - hit) };
    },
  };
}

/** Tokens of so many bytes. */
export function tokens(bytes: number): number {
  return Math.ceil(bytes / 4);
}

/** The end of every block, with all that comes before it. */
function placesOf({ tools = [], system = [], messages, cache_control }: MessagesRequest): Place[] {
  const blocks = [
    ...tools.map((block) => ({ block, mark: "tool" })),
    ...system.map((block) => ({ block, mark: "system" })),
    ...messages.flatMap(({ role, content }) => content.map((block) => ({ block, mark: role }))),
  ];
  const hash = createHash("sha256");
  let bytes = 0;
  return blocks.map(({ block, mark }, index) => {
    const { cache_control: own, ...fields } = block;
    const text = `${mark} ${JSON.stringify(fields)}`;
    bytes += Buffer.byteLength(text);
    const isLast = index === blocks.length - 1;
    const isBreakpoint = own != null || (isLast && cache_control != null);
    return { bytes, digest: hash.update(text).copy().digest("base64"), isBreakpoint };
  });
}
