/** The programs croft stands on: found, and really run. */

import { asFailure, findProgram, locateRipgrep, probeProgram, type ProbeResult } from "@croft/harness";
import type { Io } from "../io.ts";
import manifest from "../../package.json" with { type: "json" };
import { fail, ok, warn, type Check } from "./check.ts";

/** Milliseconds. */
const runMs = 10_000;

/** Runs a program in a bare environment, outside of any project. Throws Failure. */
function run(argv: readonly [string, ...string[]], io: Io): Promise<ProbeResult> {
  return probeProgram(argv, { cwd: "/", env: { LC_ALL: "C", PATH: "/usr/bin:/bin" }, ms: runMs }, io.signal);
}

export function checkNode(): Check {
  return ok("node", `Node ${process.version} (croft needs ${manifest.engines.node}).`);
}

/** Searches need it. */
export async function checkRipgrep(io: Io): Promise<Check> {
  const remedy = "Install croft again with its optional dependencies, or put a ripgrep (rg) on the PATH.";
  try {
    const file = await locateRipgrep(io.environment.path ?? "");
    const { code, output, errors } = await run([file, "--no-config", "--version"], io);
    if (code !== 0) return fail("ripgrep", `${file} ends with ${String(code)}: ${firstLine(errors)}.`, remedy);
    return ok("ripgrep", `${firstLine(output)} (${file}).`);
  } catch (error) {
    return fail("ripgrep", asFailure(error).message, remedy);
  }
}

/** Questions need none: the repository is found without. Commits in the sandbox get name and address from it. */
export async function checkGit(io: Io): Promise<Check> {
  const remedy = "Questions are answered without it. To have it, install git.";
  const file = findProgram("git", io.environment.path ?? "");
  if (file === undefined) return warn("git", "There is no git on the PATH.", remedy);
  try {
    const { code, output, errors } = await run([file, "--version"], io);
    if (code !== 0) return warn("git", `${file} ends with ${String(code)}: ${firstLine(errors)}.`, remedy);
    return ok("git", `${firstLine(output)} (${file}).`);
  } catch (error) {
    return warn("git", asFailure(error).message, remedy);
  }
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
