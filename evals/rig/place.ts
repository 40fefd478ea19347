/** Where one attempt happens: a fresh copy of the project, and what croft keeps beside it. */

import { cpSync, mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { Task } from "./task.ts";

export type Place = { root: string; env: NodeJS.ProcessEnv };

/**
 * `folder` must not exist yet. The user's key and settings count as they always do; what croft keeps is kept here, and
 * commands find the very node that this runs on.
 */
export function makePlace(task: Task, folder: string): Place {
  const root = join(folder, "project");
  mkdirSync(folder, { recursive: true });
  cpSync(task.project, root, { recursive: true });
  const path = [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
  const kept = { XDG_STATE_HOME: join(folder, "state"), XDG_CACHE_HOME: join(folder, "cache") };
  return { root, env: { ...process.env, ...kept, PATH: path } };
}
