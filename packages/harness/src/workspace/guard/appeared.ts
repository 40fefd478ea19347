/** What a command has left in protected places: found, moved to safety, told in words. */

import type { Policy } from "../../policy/policy.ts";
import { holdRoot } from "../place/mechanism.ts";
import type { Place } from "../place/place.ts";
import { quoted } from "../text/show-path.ts";
import { isAsGitMakesIt } from "./as-git-makes-it.ts";
import { linkAt, moveAway, restoreLink, withEntry } from "./quarantine.ts";
import type { Absent } from "./repository-places.ts";
import type { Border } from "./scan.ts";

/** What was there before a command began. `link`: where it led. */
export type Before = ReadonlyMap<string, { kind: string; link: string | undefined }>;

export type Found = {
  root: string;
  top: Place;
  /** As they are now. */
  borders: readonly Border[];
  absent: readonly Absent[];
  before: Before;
  /** Paths that a person approved. */
  expected: ReadonlySet<string>;
  policy: Policy;
  quarantine: string;
};

/** One line for each thing that was there. Throws the system's error where it cannot be moved. */
export function appearedIn(found: Found): string[] {
  const fresh = outermost(found.borders.filter((border) => isNew(border, found)));
  // Looked at before anything is moved: without its settings, any repository runs nothing.
  const harmless = new Set(
    fresh.flatMap(({ repository }) =>
      repository !== undefined && runsNothing(found.top, repository) ? [repository] : [],
    ),
  );
  const told = [
    ...fresh.flatMap((border) => takeAway(border, harmless, found)),
    ...found.absent.flatMap((one) => takeOut(one, found)),
  ];
  return [...new Set(told)];
}

function isNew({ path, kind, write }: Border, { top, before, expected }: Found): boolean {
  const known = before.get(path);
  if (write || expected.has(path)) return false;
  return known?.kind !== kind || known.link !== linkAt(top, path, kind);
}

function takeAway(
  { path, repository }: Border,
  harmless: ReadonlySet<string>,
  { top, before, policy, quarantine }: Found,
): string[] {
  const known = before.get(path);
  // A person may well have asked for a repository, so one that runs nothing stays.
  if (repository !== undefined && known === undefined && harmless.has(repository)) {
    return [`A repository appeared: ${quoted(repository)}.`];
  }
  const to = moveAway(top, path, quarantine);
  if (to === undefined) return [];
  if (known?.link !== undefined) restoreLink(top, path, known.link);
  return [words(path, repository === undefined ? policy.judge(path, "write").rule : obeyed, to)];
}

/** A project that has itself become a repository without `.git` is nothing that anybody wanted. */
function runsNothing(top: Place, repository: string): boolean {
  if (repository === ".") return false;
  return withEntry(top, repository, ({ entry }) => isAsGitMakesIt(entry)) ?? false;
}

const obeyed = "what git runs or takes settings from";

function takeOut({ folder, path }: Absent, { root, quarantine }: Found): string[] {
  using place = holdRoot(folder);
  const to = moveAway(place.top, path, quarantine);
  const shown = folder.startsWith(`${root}/`) ? `${folder.slice(root.length + 1)}/${path}` : `${folder}/${path}`;
  return to === undefined ? [] : [words(folder === root ? path : shown, obeyed, to)];
}

function words(path: string, rule: string, to: string): string {
  return `${quoted(path)} appeared, which commands may not write (${rule}). It was moved to ${quoted(to)}.`;
}

/** Without what lies in another of them. */
function outermost(borders: readonly Border[]): Border[] {
  const paths = new Set(borders.map(({ path }) => path));
  return borders.filter(({ path }) => {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      if (paths.has(path.slice(0, at))) return false;
    }
    return true;
  });
}
