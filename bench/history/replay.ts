/** All cases of the changes in some clones, one after another. */

import { casesOf } from "./cases.ts";
import { hunksOfGit, modifiedFiles, openBlobs } from "./commits.ts";
import { count, outcomeOf, type Hands, type Tally } from "./tally.ts";

export type Report = {
  files: number;
  /** How many of the files are of a kind. */
  kinds: Record<string, number>;
  /** Changes that were not replayed, by why. */
  passed: Record<string, number>;
  arms: Tally[];
  wrong: { clone: string; commit: string; path: string; arm: string }[];
};

/** `wanted` files of each clone, as many as there are cases for. */
export async function replayHistory(clones: readonly string[], wanted: number, hands: Hands): Promise<Report> {
  const report: Report = { files: 0, kinds: {}, passed: {}, arms: [], wrong: [] };
  const tallies = new Map<string, Tally>();
  for (const clone of clones) {
    await using blobs = openBlobs(clone);
    for (const file of modifiedFiles(clone, wanted)) {
      const before = await blobs.read(file.before);
      const after = await blobs.read(file.after);
      const older = file.older === undefined ? undefined : await blobs.read(file.older);
      const isThere = before !== undefined && after !== undefined;
      const found = isThere ? casesOf({ before, after, older, hunks: hunksOfGit(clone, file) }) : "not in the clone";
      if (typeof found === "string") {
        increase(report.passed, found);
        continue;
      }
      report.files += 1;
      for (const kind of found.kinds) increase(report.kinds, kind);
      for (const one of found.cases) {
        if (!one.calls.every(({ tool }) => hands.tools.includes(tool))) continue;
        const outcome = await outcomeOf(one, hands);
        count(tallies, one.arm, outcome);
        if (outcome === "wrong") report.wrong.push({ clone, commit: file.commit, path: file.path, arm: one.arm });
      }
    }
  }
  return { ...report, arms: [...tallies.values()] };
}

function increase(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
