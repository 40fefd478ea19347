/** The files that the proposals of a search are about, of which one is open at a time. */

import { asFailure } from "../../error.ts";
import type { Fence, Pinned } from "../fence.ts";
import { pathIn } from "../place/place.ts";
import type { ShowLines } from "../search.ts";
import { openSource, type Source } from "./source.ts";

/** Paths are those of proposals: relative to the folder that is searched. */
export interface Files extends Disposable {
  /** Whether something of a file may be shown; of a file asked about again, it may be counted again. */
  readonly admit: (path: string) => boolean;
  /** The same source while the same path is asked for; undefined for what is not admitted, gone, no file, or binary. */
  open(path: string): Promise<Source | undefined>;
  /** What was left out, in words for the model. */
  skipped(): readonly string[];
}

/** One file, which has been asked about. */
export function onlyFile(source: Source): Files {
  return { admit: () => true, open: async () => source, skipped: () => [], [Symbol.dispose]() {} };
}

/**
 * Files below a pinned folder. What the policy denies is left out without a word; what it would ask about is counted,
 * as a person is not asked once for every file.
 */
export function filesBelow(fence: Fence, folder: Pinned, shown?: ShowLines): Files {
  let judged = { path: "", admitted: false };
  let opened: { path: string; pinned?: Pinned; source?: Source } = { path: "" };
  let withheld = 0;
  function admit(path: string): boolean {
    if (path === judged.path) return judged.admitted;
    const { decision } = fence.policy.judge(pathIn(folder.path, path), "read");
    if (decision === "ask") withheld++;
    judged = { path, admitted: decision === "allow" };
    return judged.admitted;
  }
  return {
    admit,
    async open(path) {
      if (path === opened.path) return opened.source;
      opened.pinned?.[Symbol.dispose]();
      opened = { path };
      try {
        opened.pinned = fence.pin(pathIn(folder.path, path), "read");
        if (opened.pinned.verdict.decision === "allow") opened.source = await openSource(fence, opened.pinned, shown);
        else withheld++;
      } catch (thrown) {
        if (asFailure(thrown).code === "E_INTERNAL") throw thrown;
      }
      return opened.source;
    },
    skipped: () => (withheld > 0 ? [`${withheld} files with matches that only a person may open up`] : []),
    [Symbol.dispose]: () => opened.pinned?.[Symbol.dispose](),
  };
}
