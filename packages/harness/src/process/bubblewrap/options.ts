/** What an enclosure needs to know: all of it given, nothing looked up in the environment. */

import type { Guard } from "../guard.ts";
import type { Limits } from "../limits/limits.ts";
import type { Resolve } from "../proxy/dial.ts";

export type BubblewrapOptions = {
  /** The project: absolute, links resolved. */
  root: string;
  /** Knows what is protected in it. */
  guard: Guard;
  /** The user's home: empty inside, but for toolchains. */
  home: string;
  /** Files that stand in it, by name, with their text. */
  homeFiles?: Readonly<Record<string, string>> | undefined;
  /** In the form of PATH. */
  searchPath: string;
  /** What commands find in their environment, beside what the enclosure itself sets. */
  environment: Readonly<Record<string, string>>;
  /** Where tools inside may keep downloads and build results; made if need be. Only for this project. */
  cache: string;
  /** Absolute paths; undefined where not installed. */
  programs: { bwrap: string | undefined; prlimit: string | undefined };
  limits?: Partial<Limits> | undefined;
  /** @internal For tests: how the proxy looks names up. */
  resolve?: Resolve | undefined;
};
