/** What backends refuse, in words that name them. */

import { Failure } from "../../error.ts";

/** For `follow`, where it is not supported. */
export function unsupported(backend: string): Failure {
  return new Failure("E_UNSUPPORTED", `The search backend ${backend} follows no links.`, {
    remedy: "Search without follow; name what a link leads to.",
  });
}

/** For what names no limit, or one beyond the cap. */
export function unbounded(backend: string, cap: number): Failure {
  return new Failure("E_UNBOUNDED", `The search backend ${backend} finds ${cap} things at most.`, {
    remedy: `Ask again with a limit of ${cap} or less.`,
  });
}
