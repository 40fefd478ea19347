/**
 * Which folder is the project. A folder that is named is taken exactly; otherwise the repository around it, if it is
 * the user's.
 */

import { accessSync, constants, lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join, parse, resolve } from "node:path";
import { isRepository } from "@croft/harness";
import { UsageError } from "../usage.ts";

const nameOne = 'Name a project folder: -C DIR, or croft ask DIR "…".';

export type RootOptions = {
  /** The folder the person named, if any. */
  asked: string | undefined;
  cwd: string;
  home: string | undefined;
};

/**
 * The real path of the project's folder. Throws UsageError: E_NO_FOLDER, E_NOT_A_FOLDER, E_UNREADABLE, or
 * E_ROOT_REFUSED for the home folder, what holds it, and the root of the file system, which are no projects and hold
 * everybody's secrets.
 */
export function chooseRoot({ asked, cwd, home }: RootOptions): string {
  if (asked === "") throw new UsageError("E_NO_FOLDER", "The name of the folder is empty.", nameOne);
  const folder = realFolder(resolve(cwd, asked ?? "."));
  const top = asked === undefined ? ownToplevel(folder) : undefined;
  if (top !== undefined && refusal(top, home) === undefined) return top;
  const refused = refusal(folder, home);
  if (refused !== undefined) throw new UsageError("E_ROOT_REFUSED", `${folder} is ${refused}, not a project.`, nameOne);
  return folder;
}

/**
 * As `chooseRoot`, but undefined where the current folder is one that is refused: not every command needs a project.
 */
export function projectRoot(options: RootOptions): string | undefined {
  try {
    return chooseRoot(options);
  } catch (error) {
    if (options.asked === undefined && error instanceof UsageError && error.code === "E_ROOT_REFUSED") return undefined;
    throw error;
  }
}

/** The current folder. Throws UsageError E_NO_FOLDER when it was deleted. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new UsageError("E_NO_FOLDER", "The current folder is gone.", "Change to one that exists.", cause);
  }
}

/** Whether a word names a folder that can be seen. Words of a question (too long, with odd bytes) simply do not. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function realFolder(path: string): string {
  try {
    const real = realpathSync(path);
    if (!statSync(real).isDirectory()) {
      throw new UsageError("E_NOT_A_FOLDER", `${path} is not a folder.`, nameOne);
    }
    accessSync(real, constants.R_OK | constants.X_OK);
    return real;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (error instanceof UsageError) throw error;
    if (code === "ENOENT") throw new UsageError("E_NO_FOLDER", `There is no folder ${path}.`, nameOne, error);
    if (code === "ENOTDIR") throw new UsageError("E_NOT_A_FOLDER", `${path} is not a folder.`, nameOne, error);
    throw new UsageError("E_UNREADABLE", `${path} cannot be read (${String(code)}).`, nameOne, error);
  }
}

function refusal(folder: string, home: string | undefined): string | undefined {
  if (folder === parse(folder).root) return "the root of the file system";
  const own = home === undefined ? undefined : realHome(home);
  if (own === folder) return "your home folder";
  return own?.startsWith(`${folder}/`) === true ? "a folder that holds your home folder" : undefined;
}

function realHome(home: string): string | undefined {
  try {
    return realpathSync(home);
  } catch {
    return undefined;
  }
}

/**
 * The nearest folder upwards that git would call the toplevel, if it and its `.git` belong to this user: a repository
 * that someone else put above (in /tmp, say) must not widen what the model may read.
 */
function ownToplevel(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (isRepository(folder)) return isOwn(folder) && isOwn(join(folder, ".git")) ? folder : undefined;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Whether it belongs to this user, where the system knows of users. */
export function isOwn(path: string): boolean {
  return process.getuid === undefined || lstatSync(path).uid === process.getuid();
}
