/** What an answer used, in tokens. */

import type { Usage } from "../../message.ts";
import { countIn, fieldsOf } from "../../json.ts";

/** What a server reports, undefined where it reports nothing. Its `prompt_tokens` include those from the cache. */
export function reportedUsage(report: unknown): Usage | undefined {
  const fields = fieldsOf(report);
  const prompt = countIn(fields, "prompt_tokens") ?? 0;
  const output = countIn(fields, "completion_tokens") ?? 0;
  if (prompt + output === 0) return undefined;
  const details = fieldsOf(fields["prompt_tokens_details"]);
  // DeepSeek has a name of its own for the first; only OpenRouter reports the second.
  const cacheRead = countIn(details, "cached_tokens") ?? countIn(fields, "prompt_cache_hit_tokens") ?? 0;
  const cacheWrite = countIn(details, "cache_write_tokens") ?? 0;
  return { input: Math.max(0, prompt - cacheRead - cacheWrite), cacheRead, cacheWrite, output };
}
