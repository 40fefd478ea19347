/** What a command has left in protected places: found, moved to safety, told in words. */

import type { Policy } from "../../policy/policy.ts";
import { holdRoot } from "../place/mechanism.ts";
import type { Place } from "../place/place.ts";
import { quoted } from "../text/show-path.ts";
import { linkAt, moveAway, restoreLink } from "./quarantine.ts";
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
  return [
    ...fresh.flatMap((border) => takeAway(border.path, found)),
    ...found.absent.flatMap((one) => takeOut(one, found)),
  ];
}

function isNew({ path, kind, write }: Border, { top, before, expected }: Found): boolean {
  const known = before.get(path);
  if (write || expected.has(path)) return false;
  return known?.kind !== kind || known.link !== linkAt(top, path, kind);
}

function takeAway(path: string, { top, before, policy, quarantine }: Found): string[] {
  const known = before.get(path);
  // A person may well have asked for a repository, so it stays.
  if (isRepository(path) && known === undefined) {
    return [
      `A repository appeared: ${quoted(path)}. Its settings and hooks can run programs; look before you use git there.`,
    ];
  }
  const to = moveAway(top, path, quarantine);
  if (to === undefined) return [];
  if (known?.link !== undefined) restoreLink(top, path, known.link);
  return [words(path, policy.judge(path, "write").rule, to)];
}

function takeOut({ folder, path }: Absent, { root, quarantine }: Found): string[] {
  using place = holdRoot(folder);
  const to = moveAway(place.top, path, quarantine);
  const shown = folder.startsWith(`${root}/`) ? `${folder.slice(root.length + 1)}/${path}` : `${folder}/${path}`;
  return to === undefined ? [] : [words(folder === root ? path : shown, "what git runs or takes settings from", to)];
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

function isRepository(path: string): boolean {
  return path === ".git" || path.endsWith("/.git");
}
