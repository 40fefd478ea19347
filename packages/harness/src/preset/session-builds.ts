/** What a session has built and installed, told by the clock of the file system. Runs of the check are none of it. */

import type { Built } from "../workspace/originals/built.ts";
import type { Originals } from "../workspace/originals/originals.ts";

export interface SessionBuilds {
  /** The user's versions were kept. The first time, nothing of the session has been built yet. */
  kept(originals: Originals): void;
  /** A run of the check has ended: what it built stays out. */
  checked(originals: Originals): void;
  /** Throws the signal's reason. */
  built(originals: Originals | undefined, signal: AbortSignal): Promise<Built>;
  /** Files of installed packages that changed. Throws the signal's reason. */
  installed(originals: Originals | undefined, signal: AbortSignal): Promise<readonly string[]>;
}

export function createSessionBuilds(): SessionBuilds {
  const built = new Map<string, readonly string[]>();
  /** When the first of its turns was about to change something. */
  let since: number | undefined;
  let lastRun: number | undefined;

  return {
    kept(originals) {
      since ??= originals.since;
    },
    checked(originals) {
      lastRun = originals.moment();
    },
    async built(originals, signal) {
      const fresh: Built = (await originals?.changedBuilt(lastRun ?? since ?? 0, signal)) ?? new Map();
      for (const [place, files] of fresh) built.set(place, [...new Set([...(built.get(place) ?? []), ...files])]);
      return built;
    },
    installed: async (originals, signal) => (await originals?.changedInstalled(since ?? 0, signal)) ?? [],
  };
}
