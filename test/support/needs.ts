/**
 * Tests that need a program of the system: skipped in sight where it is missing, failed in CI, where nothing may be
 * missing.
 */

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * For `test.runIf(needs("git"))`: whether the program is on the PATH. Says on stderr that tests are skipped where it is
 * not; throws with CI=true.
 */
export function needs(
  program: string,
  environment: Readonly<NodeJS.ProcessEnv> = process.env,
  say: (line: string) => void = (line) => void process.stderr.write(line),
): boolean {
  const folders = (environment["PATH"] ?? "").split(delimiter);
  if (folders.some((folder) => folder !== "" && isProgram(join(folder, program)))) return true;
  if (environment["CI"] === "true") throw new Error(`Tests need ${program}, and CI must have it: add it to .ci/run.`);
  say(`Skipped: tests that need ${program}, which is not installed.\n`);
  return false;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
