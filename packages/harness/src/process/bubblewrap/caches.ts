/**
 * Where tools inside keep what they may use again: one folder for each project, which nothing outside the enclosure
 * reads, so that nothing planted in it ever runs outside.
 */

import { statSync } from "node:fs";
import { join } from "node:path";

type Cache = {
  variable: string;
  folder: string;
  /**
   * "always"; "network": only where something can be downloaded, else the user's own downloads are read; "kept":
   * likewise, and from then on, since these tools read packages from there with every build.
   */
  when: "always" | "network" | "kept";
  /** What in it is run, or says what is: the rest is the tool's own bookkeeping, which changes with every use. */
  code?: readonly string[] | undefined;
};

const caches: readonly Cache[] = [
  { variable: "GOCACHE", folder: "go-build", when: "always" },
  { variable: "CCACHE_DIR", folder: "ccache", when: "always" },
  { variable: "SCCACHE_DIR", folder: "sccache", when: "always" },
  {
    variable: "GRADLE_USER_HOME",
    folder: "gradle",
    when: "always",
    code: ["gradle.properties", "init.gradle", "init.gradle.kts", "init.d"],
  },
  {
    variable: "CARGO_HOME",
    folder: "cargo",
    when: "kept",
    code: ["config", "config.toml", "bin", "registry/src", "git/checkouts"],
  },
  { variable: "GOMODCACHE", folder: "go-mod", when: "kept", code: ["."] },
  { variable: "NUGET_PACKAGES", folder: "nuget", when: "kept", code: ["."] },
  { variable: "DENO_DIR", folder: "deno", when: "kept", code: ["npm", "remote", "gen"] },
  { variable: "npm_config_cache", folder: "npm", when: "network" },
  { variable: "YARN_CACHE_FOLDER", folder: "yarn", when: "network" },
  { variable: "BUN_INSTALL_CACHE_DIR", folder: "bun", when: "network" },
  { variable: "PIP_CACHE_DIR", folder: "pip", when: "network" },
  { variable: "UV_CACHE_DIR", folder: "uv", when: "network" },
  { variable: "POETRY_CACHE_DIR", folder: "poetry", when: "network" },
  { variable: "COMPOSER_CACHE_DIR", folder: "composer", when: "network" },
];

/** Variables for a command, given the project's folder of caches. `home` holds what the user downloaded. */
export function cacheVariables(folder: string, home: string, network: boolean): Record<string, string> {
  const used = caches.filter(
    (cache) => cache.when === "always" || network || (cache.when === "kept" && isFolder(join(folder, cache.folder))),
  );
  return {
    ...Object.fromEntries(used.map((cache) => [cache.variable, join(folder, cache.folder)])),
    GRADLE_RO_DEP_CACHE: join(home, ".gradle/caches"),
  };
}

/**
 * Absolute paths below the project's folder of caches: whoever changes these changes what checks run, as with installed
 * packages.
 */
export function cachedCode(folder: string): string[] {
  return caches.flatMap((cache) => (cache.code ?? []).map((path) => join(folder, cache.folder, path)));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
