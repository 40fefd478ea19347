/** What a walk did not show, counted, for the words at its end. */

import type { Done } from "../fence.ts";
import { quoted } from "../text/show-path.ts";

type Reason = "unreadable" | "undecodable" | "tooDeep";

export type LeftOut = {
  /** Left out on purpose: the listing is complete all the same. */
  ignored(): void;
  hidden(): void;
  missing(reason: Reason, path: string): void;
  done(): Done;
};

/** So many paths are named for each reason, the rest is counted. */
const examples = 3;

const words: Readonly<Record<Reason, string>> = {
  unreadable: "that could not be read",
  undecodable: "with a name that is not UTF-8",
  tooDeep: "too many levels down, to be listed by path",
};

export function countLeftOut(): LeftOut {
  let ignored = 0;
  let hidden = 0;
  const missing = new Map<Reason, { count: number; named: string[] }>();
  return {
    ignored() {
      ignored += 1;
    },
    hidden() {
      hidden += 1;
    },
    missing(reason, path) {
      const { count, named } = missing.get(reason) ?? { count: 0, named: [] };
      if (count < examples) named.push(quoted(path));
      missing.set(reason, { count: count + 1, named });
    },
    done() {
      const told = [
        ...(ignored === 0 ? [] : [`${ignored} ignored (.gitignore and the like)`]),
        ...(hidden === 0 ? [] : [`${hidden} hidden`]),
      ];
      for (const [reason, { count, named }] of missing) {
        told.push(`${count} ${words[reason]} (${named.join(", ")}${count > examples ? ", …" : ""})`);
      }
      const skipped = told.length === 0 ? undefined : told.join("; ");
      return { done: true, complete: missing.size === 0, skipped };
    },
  };
}
