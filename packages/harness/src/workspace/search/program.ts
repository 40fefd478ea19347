/** Where programs are. */

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/**
 * The absolute path of the first such program in `searchPath` (in the form of PATH), or undefined. Relative and empty
 * entries are passed over, and the folders that npm and its kin put in front for all they start: they hold the
 * project's own files.
 */
export function findProgram(name: string, searchPath: string): string | undefined {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  return searchPath
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !ofPackages.test(folder))
    .map((folder) => join(folder, file))
    .find(isProgram);
}

const ofPackages = /[\\/]node_modules[\\/]\.bin[\\/]*$/;

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
