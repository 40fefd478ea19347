/**
 * Where the trace of a run goes, and where one is. The file is made before the model is asked, so that a bad place is
 * known in time.
 */

import { closeSync, constants, mkdirSync, openSync, statSync, type Stats } from "node:fs";
import { join, resolve } from "node:path";
import { lockSession, messageOf } from "@croft/harness";
import type { Environment } from "./environment.ts";
import { UsageError } from "../usage.ts";

/** A name that sorts by time: `20261130T170024Z-3f9a1c`. */
export function newRunId(now: Date): string {
  // No secret, so it is not worth the loading of node:crypto; a name that is taken is refused where the file is made.
  const some = Math.floor(Math.random() * 0x100_0000);
  return `${now.toISOString().replaceAll(/[-:]|\.\d+/g, "")}-${some.toString(16).padStart(6, "0")}`;
}

/** What a run is known by as well: the end of its name, the part that is chance. */
export function shortRunId(id: string): string {
  return id.split("-").at(-1) ?? id;
}

/** As "w", but a FIFO that nobody reads is an error instead of a wait without end. */
const replacing = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK;

/** Makes or empties the file the person named; its path. Throws UsageError E_TRACE. */
export function traceAt(file: string, cwd: string): string {
  const path = resolve(cwd, file);
  try {
    closeSync(openSync(path, replacing, 0o600));
    return path;
  } catch (cause) {
    const reason = messageOf(cause);
    throw new UsageError("E_TRACE", `The trace cannot be written: ${reason}.`, "Give --trace another file.", cause);
  }
}

/** Where traces go as the setting has it; undefined where that takes a home, and none is known. */
export function tracesFolder(
  setting: boolean | string,
  { home, stateHome }: Pick<Environment, "home" | "stateHome">,
): string | undefined {
  if (typeof setting === "boolean") return stateHome === undefined ? undefined : join(stateHome, "croft", "traces");
  if (!setting.startsWith("~")) return setting;
  return home === undefined ? undefined : home + setting.slice(1);
}

export type NewTrace = { file: string; lock?: Disposable | undefined };

/** A new file for one run in a folder, both for this user alone, and held. Gives the reason where there can be none. */
export function traceIn(folder: string | undefined, id: string): NewTrace | { reason: string } {
  if (folder === undefined) return { reason: "no home folder is known" };
  const file = join(folder, `${id}.jsonl`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return { file, lock: made(file) };
  } catch (error) {
    return { reason: messageOf(error).replace(/\.$/, "") };
  }
}

/** Held before it is there, so that nobody finds it free. */
function made(file: string): Disposable {
  const lock = lockSession(file);
  try {
    closeSync(openSync(file, "wx", 0o600));
    return lock;
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

/** Undefined where no way leads to anything: nothing is there, or a link leads nowhere or in a circle. */
export function statAt(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/**
 * The path of a trace to read. Throws UsageError E_NO_TRACE where no file stands. Whether it can be read is not asked
 * here.
 */
export function existingTrace(file: string, cwd: string): string {
  const path = resolve(cwd, file);
  const found = statAt(path);
  if (found?.isFile() === true || found?.isFIFO() === true) return path;
  const what =
    found === undefined ? `There is no file ${path}.` : `${path} is ${found.isDirectory() ? "a folder" : "a device"}.`;
  throw new UsageError("E_NO_TRACE", what, "Give the file that a run names as its trace.");
}
