/** Sessions by their names: the whole one, a part that is theirs alone, or the path of a file. */

import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { sessionsIn } from "@croft/harness";
import { loadSettings } from "../config/load.ts";
import { chooseRoot, currentFolder, projectRoot } from "../config/root.ts";
import { existingTrace, statAt, tracesFolder } from "../config/trace.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage.ts";

const ending = ".jsonl";
const see = "See croft sessions for those there are.";

/**
 * Where sessions are kept. `dir`: the project, as it was named. Throws UsageError E_NO_STATE where nothing is known of
 * such a place.
 */
export async function sessionsFolder({ environment }: Io, dir: string | undefined): Promise<string> {
  const root = projectRoot({ asked: dir, cwd: currentFolder(), home: environment.home });
  const { settings } = await loadSettings({ root, environment });
  const folder = tracesFolder(settings.trace.value, environment);
  if (folder !== undefined) return folder;
  throw new UsageError("E_NO_STATE", "Sessions have no place: no home folder is known.", "Set HOME or XDG_STATE_HOME.");
}

/**
 * Whether a word is meant as the name of a session, and not as something to say. Six letters and digits that name none
 * are a slip: said to the last session they would be paid for.
 */
export function isSessionName(word: string, folder: string): boolean {
  if (/^\d{8}T\d{6}Z-[0-9a-f]{6}$/.test(word) || /^\S+\.jsonl$/.test(word)) return true;
  return /^[0-9a-f]{6}$/.test(word) && (/\d/.test(word) || namesLike(word, folder).length > 0);
}

/**
 * The file of a session. Throws UsageError: E_NO_SESSION for what is no regular file too, which could be waited for
 * without end, E_AMBIGUOUS, E_NO_TRACE for a path that leads nowhere.
 */
export function sessionNamed(name: string, folder: string): string {
  const file = name.endsWith(ending) ? existingTrace(name, currentFolder()) : sessionIn(folder, name);
  if (statAt(file)?.isFile() === true) return file;
  throw new UsageError("E_NO_SESSION", `${file} is no file.`, see);
}

function sessionIn(folder: string, name: string): string {
  const exact = join(folder, name + ending);
  if (/^[\w-]+$/.test(name) && statAt(exact) !== undefined) return exact;
  const [found, ...others] = namesLike(name, folder);
  if (found === undefined) throw new UsageError("E_NO_SESSION", `There is no session ${JSON.stringify(name)}.`, see);
  if (others.length === 0) return join(folder, found);
  throw new UsageError("E_AMBIGUOUS", `${others.length + 1} sessions are called ${JSON.stringify(name)}.`, see);
}

/**
 * The trace of a run: what is there, or looks like a path, is a file; anything else names a session, and nothing the one
 * used last in the project. Throws UsageError.
 */
export async function traceNamed(name: string | undefined, io: Io): Promise<string> {
  const cwd = currentFolder();
  const isFile = name?.includes("/") === true || (name !== undefined && statAt(resolve(cwd, name)) !== undefined);
  if (isFile) return existingTrace(name, cwd);
  const folder = await sessionsFolder(io, undefined);
  if (name !== undefined) return sessionNamed(name, folder);
  return lastSession(folder, chooseRoot({ asked: undefined, cwd, home: io.environment.home }));
}

/** The session of a project that was used last. Throws UsageError E_NO_SESSION. */
export async function lastSession(folder: string, root: string): Promise<string> {
  for await (const { file } of sessionsIn(folder, { root, limit: 1 })) return file;
  throw new UsageError(
    "E_NO_SESSION",
    `There is no session in ${root} yet.`,
    'Begin one: croft run "…" or croft ask "…".',
  );
}

/** A session is known by the end of its name as well: the part that is chance. */
function namesLike(name: string, folder: string): string[] {
  if (name === "") return [];
  try {
    return readdirSync(folder).filter(
      (file) => file.endsWith(name + ending) || (file.startsWith(name) && file.endsWith(ending)),
    );
  } catch {
    return [];
  }
}
