/** What is about to be done: all a person needs to judge it. */

import type { PathVerdict } from "../policy/policy.ts";

/** `path` and `verdict` are absent while nothing has been resolved: only a strict gate cares to be asked then. */
export type Place = { asked: string; path?: string | undefined; verdict?: PathVerdict | undefined };

export type Action =
  | ({ kind: "read" | "list" } & Place)
  | ({ kind: "search"; pattern: string } & Place)
  | { kind: "write"; changes: readonly (Place & { diff: string })[] };
