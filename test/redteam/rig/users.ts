/** Whom croft is played as: whoever runs this, and as root an ordinary user too. */

import { spawnSync } from "node:child_process";
import { needs } from "../../support/needs.ts";
import { bin } from "./play.ts";
import type { Row } from "./row.ts";

/** `uid`: undefined for whoever runs this. */
export type User = { name: string; uid: number | undefined };

/** One that owns nothing; only root can become it. */
const ordinary = 54_321;

/** `asked`: root or user, or both where it is undefined. Says who cannot be played. */
export function usersHere(asked: string | undefined, say: (line: string) => void): User[] {
  const root = process.getuid?.() === 0;
  if (!root) {
    if (asked !== "user") say("Skipped: all rows as root, since this is not run as root.");
    return asked === "root" ? [] : [{ name: "an ordinary user", uid: undefined }];
  }
  const users: User[] = asked === "user" ? [] : [{ name: "root", uid: undefined }];
  if (asked === "root") return users;
  if (mayRun(ordinary)) return [...users, { name: "an ordinary user", uid: ordinary }];
  say("Skipped: all rows as an ordinary user, since another user cannot read croft's files here.");
  return users;
}

function mayRun(uid: number): boolean {
  const env = { PATH: "/usr/bin:/bin" };
  return (
    spawnSync(process.execPath, [bin, "--version"], { uid, gid: uid, cwd: "/", env, timeout: 20_000 }).status === 0
  );
}

/** Why a row cannot be played, if so. Fails in CI where a program is missing. */
export function why({ needs: programs = [], only, person }: Row, uid: number | undefined): string | undefined {
  const wanted = [...programs, ...(person === undefined ? [] : ["script"])];
  const missing = wanted.find((program) => !needs(program));
  if (missing !== undefined) return `${missing} is not installed`;
  const user = uid === undefined && process.getuid?.() === 0 ? "root" : "user";
  return only === undefined || only === user ? undefined : `it is for ${only === "root" ? "root" : "ordinary users"}`;
}
