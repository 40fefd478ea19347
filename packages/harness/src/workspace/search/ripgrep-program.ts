/** Where ripgrep is. */

import { Failure } from "../../error.ts";
import { findProgram } from "./program.ts";

/**
 * The absolute path of a ripgrep: the one that is installed with this package, else the first `rg` in an absolute entry
 * of `searchPath` (in the form of PATH). Throws E_NO_RIPGREP.
 */
export async function locateRipgrep(
  searchPath: string,
  bundled: () => Promise<string> = bundledRipgrep,
): Promise<string> {
  try {
    return await bundled();
  } catch (cause) {
    const found = findProgram("rg", searchPath);
    if (found !== undefined) return found;
    throw new Failure("E_NO_RIPGREP", "ripgrep, which searches are made with, is not installed here.", {
      remedy: "Install croft again without leaving out optional dependencies, or install ripgrep (rg) on the PATH.",
      cause,
    });
  }
}

/** The package throws while it is loaded where there is no program for this system, so it is loaded on demand. */
async function bundledRipgrep(): Promise<string> {
  return (await import("@vscode/ripgrep")).rgPath;
}
