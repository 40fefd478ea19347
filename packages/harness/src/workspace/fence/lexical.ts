/** Refusals that need no look at the disk: each says what was wrong with the path and what to give instead. */

import { Failure } from "../../error.ts";
import { quoted } from "../text/show-path.ts";

/** How the system reads paths. Where it is posix, `C:x`, `a\b` and `~x` are ordinary names. */
export type Dialect = "posix" | "windows";

/** PATH_MAX of Linux without its final NUL. */
const maxBytes = 4095;

const useRelative = "Give a path relative to the project folder, such as src/index.ts.";

/**
 * The path relative to the root, in posix form; an absolute path beneath the root is accepted. Links are not known
 * here, so `..` after one is left to the system; only a path that climbs above the root by its own spelling is refused.
 */
export function relativePath(asked: string, root: string, dialect: Dialect): string {
  if (asked === "")
    throw new Failure("E_EMPTY_PATH", "The path is empty.", { remedy: 'Use "." for the project folder.' });
  if (asked.includes("\0")) throw badPath(asked, "holds a NUL byte");
  if (!asked.isWellFormed()) throw badPath(asked, "is not valid Unicode");
  if (Buffer.byteLength(asked) > maxBytes) throw tooLong(asked);
  const path = dialect === "windows" ? asked.replaceAll("\\", "/") : asked;
  const below = stripRoot(path, dialect === "windows" ? root.replaceAll("\\", "/") : root, dialect);
  if (dialect === "windows") refuse(below ?? path, [...windowsForms, ...windowsNames]);
  if (below === undefined && path.startsWith("/")) throw outside(asked, "is outside the project");
  const relative = below ?? path;
  if (climbs(relative)) throw outside(asked, "climbs out of the project");
  return relative;
}

/**
 * For a path that leads nowhere: throws if it was meant for a shell or for Windows, since then there is more to say
 * than "not found". Such paths are tried first where they are ordinary names.
 */
export function explainForeign(asked: string): void {
  refuse(asked, [...shellForms, ...windowsForms]);
}

/** For a relative path that is to be made: a name that cannot be seen, or that no other system takes, is a mistake. */
export function refuseNewName(relative: string): void {
  if (/\p{Cc}/u.test(relative)) throw badPath(relative, "holds a control character");
  if (relative.includes("\\")) throw badPath(relative, "holds a backslash; folders are separated by /");
  if (relative.split("/").some((name) => name !== "" && name.trim() === ""))
    throw badPath(relative, "holds a blank name");
}

type Form = { readonly form: RegExp; readonly code: string; readonly problem: string };

function refuse(asked: string, forms: readonly Form[]): void {
  const path = asked.replaceAll("\\", "/");
  const met = forms.find(({ form }) => form.test(path));
  if (met !== undefined) throw new Failure(met.code, `${quoted(asked)} ${met.problem}.`, { remedy: useRelative });
}

const shellForms: readonly Form[] = [
  {
    form: /^~/u,
    code: "E_HOME_PATH",
    problem: "starts with ~, which is not expanded: only the project can be reached",
  },
];

/** Backslashes have become slashes here. */
const windowsForms: readonly Form[] = [
  { form: /^\/\/[.?]\//u, code: "E_DEVICE_PATH", problem: "names a device, not a file in the project" },
  { form: /^\/\//u, code: "E_NETWORK_PATH", problem: "names another machine, not a file in the project" },
  { form: /^[a-z]:/iu, code: "E_DRIVE_PATH", problem: "names a drive, which is outside the project" },
];

/** Names that Windows does not take for files, in whatever folder. */
const windowsNames: readonly Form[] = [
  {
    form: /(^|\/)(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$) *([.:][^/]*)?(\/|$)/iu,
    code: "E_DEVICE_PATH",
    problem: "names a Windows device, not a file in the project",
  },
  { form: /:/u, code: "E_BAD_PATH", problem: "holds a colon, which Windows reads as a stream of a file" },
];

/** Also for the system's own limits: 255 bytes a name on most of them. */
export function tooLong(asked: string): Failure {
  return new Failure("E_PATH_TOO_LONG", `${quoted(asked)} is too long for a path.`, {
    remedy: "List the folder to find the real name.",
  });
}

function badPath(asked: string, problem: string): Failure {
  return new Failure("E_BAD_PATH", `${quoted(asked)} ${problem}.`, { remedy: useRelative });
}

function outside(asked: string, problem: string): Failure {
  return new Failure("E_OUTSIDE_ROOT", `${quoted(asked)} ${problem}.`, { remedy: useRelative });
}

/** Undefined if the path is not an absolute one beneath the root. */
function stripRoot(path: string, root: string, dialect: Dialect): string | undefined {
  const fold = (text: string) => (dialect === "windows" ? text.toLowerCase() : text);
  if (fold(path) === fold(root)) return ".";
  const prefix = root.endsWith("/") ? root : `${root}/`;
  if (!fold(path).startsWith(fold(prefix))) return undefined;
  return path.slice(prefix.length).replace(/^\/+/u, "") || ".";
}

function climbs(path: string): boolean {
  let depth = 0;
  for (const name of path.split("/")) {
    if (name === "..") depth -= 1;
    else if (name !== "" && name !== ".") depth += 1;
    if (depth < 0) return true;
  }
  return false;
}
