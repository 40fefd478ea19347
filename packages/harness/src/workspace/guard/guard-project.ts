/** The guard of a project on disk: what its policy protects, and what appeared there. */

import { Failure } from "../../error.ts";
import type { Held } from "../../process/guard.ts";
import type { Guard } from "../../process/guard.ts";
import type { Policy } from "../../policy/policy.ts";
import { hasBeneath, openBeneath } from "../place/beneath.ts";
import { openChecked } from "../place/checked.ts";
import type { Place, Root } from "../place/place.ts";
import { quoted } from "../text/show-path.ts";
import { holdBorders } from "./hold.ts";
import { linkAt, moveAway, restoreLink, withEntry } from "./quarantine.ts";
import { repositoryPlaces, type Absent } from "./repository-places.ts";
import { scanner, type Border } from "./scan.ts";

export type GuardedProject = {
  /** Absolute, links resolved. */
  root: string;
  policy: Policy;
  /** Where to what is taken away is moved; outside the project. Made if need be. */
  quarantine: string;
};

/** More are a sign that a rule is wrong, and every command would pay for them. */
const maxHidden = 64;
const maxHeld = 256;

/** What was there, or was approved, before a command began. `link`: where it led. */
type Before = ReadonlyMap<string, { kind: string; link: string | undefined }>;

export function guardProject({ root, policy, quarantine }: GuardedProject): Guard {
  const walk = scanner(policy);
  const expected = new Set<string>();
  const notices: string[] = [];
  const mustBeAbsent = new Map<string, Absent>();
  let before: Before = new Map();
  let running = 0;
  let inspected = true;

  /** The borders as they are once everything that appeared has been taken away. */
  async function clear(top: Place, signal: AbortSignal): Promise<Border[]> {
    let borders = await walk.scan(top, signal);
    if (inspected && running === 0) return borders;
    const appeared = outermost(borders.filter((border) => isNew(top, border)));
    for (const { path } of appeared) notices.push(...takeAway(top, path));
    for (const { folder, path } of mustBeAbsent.values()) {
      using place = openRoot(folder);
      notices.push(...takeAway(place.top, path, folder === root ? "" : `${folder}/`));
    }
    if (appeared.length > 0) borders = await walk.scan(top, signal);
    return borders;
  }

  function isNew(top: Place, { path, kind, write }: Border): boolean {
    const known = before.get(path);
    if (write || expected.has(path)) return false;
    return known?.kind !== kind || (kind === "link" && known.link !== linkAt(top, path));
  }

  function takeAway(top: Place, path: string, shownBelow = ""): string[] {
    const shown = quoted(`${shownBelow}${path}`);
    if (isRepository(path) && before.get(path) === undefined) {
      const there = withEntry(top, path, () => true) === true;
      return there
        ? [`A repository appeared: ${shown}. Its settings and hooks can run programs; look before you use git there.`]
        : [];
    }
    const to = moveAway(top, path, quarantine);
    if (to === undefined) return [];
    const link = before.get(path)?.link;
    if (link !== undefined) restoreLink(top, path, link);
    const { rule } = policy.judge(path, "write");
    return [`${shown} appeared, which commands may not write (${rule}). It was moved to ${quoted(to)}.`];
  }

  return {
    async watch(profile, signal) {
      using project = openRoot(root);
      const borders = await clear(project.top, signal);
      const { held, absent, index } = repositoryPlaces(root, profile);
      const places = joined([...holdBorders(root, project.top, borders, index), ...held]);
      assertFew(places);
      before = new Map(
        borders.map(({ path, kind }) => [
          path,
          { kind, link: kind === "link" ? linkAt(project.top, path) : undefined },
        ]),
      );
      for (const one of absent) mustBeAbsent.set(`${one.folder}/${one.path}`, one);
      inspected = false;
      running += 1;
      let over = false;
      return {
        places,
        [Symbol.dispose]() {
          if (!over) running -= 1;
          over = true;
        },
      };
    },
    expect(path) {
      for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) expected.add(path.slice(0, at));
      expected.add(path);
    },
    async inspect(signal) {
      using project = openRoot(root);
      await clear(project.top, signal);
      inspected = true;
      if (running === 0) mustBeAbsent.clear();
      return notices.splice(0);
    },
  };
}

/** Of two for one place the later one; a folder before what lies in it. */
function joined(places: readonly Held[]): Held[] {
  const byPath = new Map(places.map((place) => [place.path, place]));
  return [...byPath.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

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

function assertFew(places: readonly Held[]): void {
  const hidden = places.filter(({ hold }) => hold === "empty" || hold === "unreadable").length;
  if (hidden <= maxHidden && places.length <= maxHeld) return;
  const what = hidden > maxHidden ? `${hidden} places that may not be read` : `${places.length} protected places`;
  const most = hidden > maxHidden ? maxHidden : maxHeld;
  throw new Failure(
    "E_UNPROTECTABLE",
    `The project has ${what}, more than the ${most} that commands can be kept from.`,
    {
      remedy: "Allow in the policy what is no secret; until then each command is asked about and runs unprotected.",
    },
  );
}

function openRoot(folder: string): Root & Disposable {
  const root = hasBeneath() ? openBeneath(folder) : openChecked(folder);
  return { ...root, [Symbol.dispose]: () => root.release() };
}
