/** The program that the first word of a command means, as execvp finds it. */

import { accessSync, constants, statSync } from "node:fs";
import { Failure } from "../../error.ts";

/**
 * What to start for a name: with a slash in it the name itself, which is relative to `folder`; else the first such in
 * `searchPath`. Throws E_NO_PROGRAM, which tells what is not there from what cannot be run.
 */
export function programNamed(name: string, folder: string, searchPath: string): string {
  if (name.includes("/")) {
    // Not resolved: `folder` may be the link of a descriptor, of which `..` is not what it looks like.
    const file = name.startsWith("/") ? name : `${folder}/${name}`;
    if (isProgram(file)) return name;
    throw isFile(file) ? notExecutable(name) : absent(name, soughtInFolder);
  }
  const candidates = searchPath.split(":").map((place) => `${place}/${name}`);
  const found = candidates.find(isProgram);
  if (found !== undefined && name !== "") return found;
  throw candidates.some(isFile) ? notExecutable(name) : absent(name, soughtInPath(searchPath));
}

/** Where a name with a slash is looked for. */
export const soughtInFolder = "It was looked for relative to cwd.";

/** Where any other name is looked for. */
export function soughtInPath(searchPath: string): string {
  return `It was looked for in PATH: ${searchPath}.`;
}

/** It is there, but cannot be run. */
export function notExecutable(name: string): Failure {
  return new Failure("E_NO_PROGRAM", `${name} is not executable.`, {
    remedy: "Run it with its interpreter, or make it executable first.",
  });
}

/** It is not there; `remedy` says where it was looked for. */
export function absent(name: string, remedy: string): Failure {
  return new Failure("E_NO_PROGRAM", `There is no program ${JSON.stringify(name)}.`, { remedy });
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return isFile(file);
  } catch {
    return false;
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
