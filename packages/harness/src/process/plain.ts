/** How a command starts without a sandbox. */

import type { Launch } from "./enclosure.ts";
import { programNamed } from "./system/program.ts";

/** Looks the program up in the PATH of `env`. `directory` is a folder of this system. Throws E_NO_PROGRAM. */
export function plainLaunch(
  argv: readonly [string, ...string[]],
  directory: string,
  env: Readonly<Record<string, string>>,
): Launch {
  const [name, ...args] = argv;
  return {
    argv: [programNamed(name, directory, env["PATH"] ?? ""), ...args],
    cwd: directory,
    env,
    descriptors: [],
    endsWhole: false,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
