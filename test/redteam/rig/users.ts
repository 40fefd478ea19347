/** Whom croft is played as: whoever runs this, and as root an ordinary user too. */

import { spawnSync } from "node:child_process";
import { needs } from "../../support/needs.ts";
import { bin } from "./play.ts";
import type { Row, Tools } from "./row.ts";
import { asUser, makeWorld } from "./world.ts";

/** `uid`: undefined for whoever runs this. `unlimited`: what croft doctor says that this system cannot limit. */
export type User = { name: string; uid: number | undefined; unlimited: string };

/** One that owns nothing; only root can become it. */
const ordinary = 54_321;

/** `asked`: root or user, or both where it is undefined. Says who cannot be played. */
export function usersHere(asked: string | undefined, say: (line: string) => void): User[] {
  const root = process.getuid?.() === 0;
  if (!root) {
    if (asked !== "user") say("Skipped: all rows as root, since this is not run as root.");
    return asked === "root" ? [] : [userWith("an ordinary user", undefined)];
  }
  const users: User[] = asked === "user" ? [] : [userWith("root", undefined)];
  if (asked === "root") return users;
  if (mayRun(ordinary)) return [...users, userWith("an ordinary user", ordinary)];
  say("Skipped: all rows as an ordinary user, since another user cannot read croft's files here.");
  return users;
}

function userWith(name: string, uid: number | undefined): User {
  const world = makeWorld({}, { uid });
  try {
    const said = asUser(world, process.execPath, bin, "doctor");
    return { name, uid, unlimited: /without a limit on (.*)/.exec(said)?.[1] ?? "" };
  } finally {
    world.remove();
  }
}

function mayRun(uid: number): boolean {
  const env = { PATH: "/usr/bin:/bin" };
  return (
    spawnSync(process.execPath, [bin, "--version"], { uid, gid: uid, cwd: "/", env, timeout: 20_000 }).status === 0
  );
}

/** Why a row cannot be played, if so. Fails in CI where a program is missing. */
export function why(
  { needs: programs = [], only, person, limits, notWith }: Row,
  { uid, unlimited }: User,
  tools: Tools,
): string | undefined {
  if (notWith?.tools.includes(tools) === true) return notWith.since;
  const wanted = [...programs, ...(person === undefined ? [] : ["script"])];
  const missing = wanted.find((program) => !needs(program));
  if (missing !== undefined) return `${missing} is not installed`;
  if (limits !== undefined && unlimited.includes(limits))
    return `there is no limit on ${limits} here, as croft doctor says`;
  const user = uid === undefined && process.getuid?.() === 0 ? "root" : "user";
  return only === undefined || only === user ? undefined : `it is for ${only === "root" ? "root" : "ordinary users"}`;
}
