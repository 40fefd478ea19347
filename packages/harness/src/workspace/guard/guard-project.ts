/** The guard of a project on disk: what its policy protects, and what appeared there. */

import { Failure } from "../../error.ts";
import type { Policy } from "../../policy/policy.ts";
import type { Guard, Held, Watch } from "../../process/guard.ts";
import { holdRoot } from "../place/mechanism.ts";
import type { Place } from "../place/place.ts";
import { appearedIn, type Before } from "./appeared.ts";
import { holdBorders } from "./hold.ts";
import { linkAt } from "./quarantine.ts";
import { repositoryPlaces, type Absent } from "./repository-places.ts";
import { serviceSockets } from "./services.ts";
import { scanner, type Scanned } from "./scan.ts";
import { quoted } from "../text/show-path.ts";

export type GuardedProject = {
  /** Absolute, links resolved. */
  root: string;
  policy: Policy;
  /** Where what is taken away is moved to; outside the project. Made if need be. */
  quarantine: string;
};

/** More are a sign that a rule is wrong, and every command would pay for them. */
const maxHidden = 64;
const maxHeld = 256;

export function guardProject({ root, policy, quarantine }: GuardedProject): Guard {
  const walk = scanner(policy);
  const takeTurns = inTurn();
  const expected = new Set<string>();
  const notices: string[] = [];
  const absent = new Map<string, Absent>();
  const running = new Set<ReadonlySet<string>>();
  let before: Before = new Map();
  let inspected = true;

  /** The borders as they are once everything that appeared has been taken away. */
  async function clear(top: Place, signal: AbortSignal): Promise<Scanned> {
    const scanned = await walk.scan(top, signal);
    if (inspected && running.size === 0) return scanned;
    const { borders } = scanned;
    const told = appearedIn({ root, top, borders, absent: [...absent.values()], before, expected, policy, quarantine });
    notices.push(...told);
    return told.length === 0 ? scanned : await walk.scan(top, signal);
  }

  return {
    watch: (profile, signal) =>
      takeTurns(async () => {
        using project = holdRoot(root);
        const { borders, unnameable } = await clear(project.top, signal);
        if (unnameable[0] !== undefined) throw unprotectable(unnameable[0]);
        const repository = repositoryPlaces(root, profile);
        const closed = [...borders, ...serviceSockets(root, project.top)];
        const bordering = holdBorders(root, project.top, closed, repository.index);
        for (const held of running) assertHeldBy(held, bordering);
        const places = joined([...bordering, ...repository.held]);
        assertFew(places);
        before = new Map(borders.map(({ path, kind }) => [path, { kind, link: linkAt(project.top, path, kind) }]));
        for (const one of repository.absent) absent.set(`${one.folder}/${one.path}`, one);
        inspected = false;
        return watchOf(places, running);
      }),
    expect(path) {
      for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) expected.add(path.slice(0, at));
      expected.add(path);
    },
    inspect: (signal) =>
      takeTurns(async () => {
        using project = holdRoot(root);
        const { unnameable } = await clear(project.top, signal);
        notices.push(...unnameable.slice(0, 1).map((path) => unprotectable(path).narration));
        inspected = true;
        if (running.size === 0) absent.clear();
        return notices.splice(0);
      }),
  };
}

function watchOf(places: readonly Held[], running: Set<ReadonlySet<string>>): Watch {
  const held = new Set(places.map(({ path }) => path));
  running.add(held);
  return { places, [Symbol.dispose]: () => void running.delete(held) };
}

/**
 * A command that still runs could put a link in a place that is not held in its own enclosure, at the very moment when
 * that place is held for the next command.
 */
function assertHeldBy(held: ReadonlySet<string>, places: readonly Held[]): void {
  const free = places.find(({ path }) => !held.has(path));
  if (free === undefined) return;
  throw new Failure(
    "E_UNPROTECTABLE",
    `${free.path} became a protected place while a command runs that could change it.`,
    {
      remedy: "Stop what was started before, then run this again.",
    },
  );
}

/** Of two for one place the later one; a folder before what lies in it. */
function joined(places: readonly Held[]): Held[] {
  const byPath = new Map(places.map((place) => [place.path, place]));
  return [...byPath.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
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

function unprotectable(path: string): Failure {
  return new Failure(
    "E_UNPROTECTABLE",
    `The name ${quoted(path)} is not UTF-8, so it cannot be protected from commands.`,
    { remedy: "Rename it; until then no command runs in the sandbox." },
  );
}

/** One piece of work after the other, whatever came of the one before. */
function inTurn(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}
