/** What a file would lose: a model that has not seen a secret cannot mean to delete it. */

import { Failure } from "../error.ts";
import { showPath } from "../workspace/text/show-path.ts";

/** The name in the placeholder of what is no secret, but would be taken for a placeholder. */
export const lookalike = "text";

const anyPlaceholder = /\[secret:(?<name>[a-z0-9-]+):[0-9a-f]{16}\]/g;

/**
 * Compares the texts of a file as a model sees them. Throws E_SECRET_LOST where the new one lacks a placeholder of the
 * old one, which may stand anywhere in it.
 */
export function refuseLoss(path: string, before: string, after: string): void {
  for (const { 0: placeholder, groups } of before.matchAll(anyPlaceholder)) {
    if (groups?.["name"] === lookalike || after.includes(placeholder)) continue;
    throw new Failure("E_SECRET_LOST", `${showPath(path)} has a secret that the new content lacks: ${placeholder}.`, {
      remedy: "Write its placeholder where the secret belongs. To remove the secret, edit its line.",
    });
  }
}
