/** The only reader of environment variables: one typed object, where an empty or blank variable counts as unset. */

import { userInfo } from "node:os";
import { isAbsolute, join, normalize } from "node:path";

export type Environment = {
  /** HOME if it is an absolute path, else what the system says; undefined for a user the system does not know. */
  home: string | undefined;
  /** Where the user says how croft is to work: $XDG_CONFIG_HOME, else ~/.config. */
  configHome: string | undefined;
  /** Where state is kept that outlives a run: $XDG_STATE_HOME, else ~/.local/state. */
  stateHome: string | undefined;
  /** Where things are kept that can be made again: $XDG_CACHE_HOME, else ~/.cache. */
  cacheHome: string | undefined;
  /** Where programs are found. */
  path: string | undefined;
  noColor: boolean;
  /** Show stack traces. */
  debug: boolean;
  /** Any other variable by its name, such as the one that holds a key. */
  variable: (name: string) => string | undefined;
  /** All of them as they are, for programs: what of it they get is decided where they are run. */
  all: () => Readonly<NodeJS.ProcessEnv>;
};

/**
 * The variables croft listens to. Those of a project's `.env` are not among them: nothing here ever reads such a file.
 */
export function readEnvironment(variables: Readonly<NodeJS.ProcessEnv> = process.env): Environment {
  const read = (name: string): string | undefined => {
    const value = Object.hasOwn(variables, name) ? variables[name]?.trim() : undefined;
    return value === "" ? undefined : value;
  };
  const home = absolute(read("HOME")) ?? homeOfUser();
  const below = (name: string, ...path: string[]): string | undefined => {
    const folder = absolute(read(name)) ?? (home === undefined ? undefined : join(home, ...path));
    return folder === undefined || ofTheKernel.test(normalize(folder)) ? undefined : folder;
  };
  return {
    home,
    configHome: below("XDG_CONFIG_HOME", ".config"),
    stateHome: below("XDG_STATE_HOME", ".local", "state"),
    cacheHome: below("XDG_CACHE_HOME", ".cache"),
    path: read("PATH"),
    noColor: read("NO_COLOR") !== undefined || read("TERM") === "dumb",
    debug: read("CROFT_DEBUG") !== undefined,
    variable: read,
    all: () => variables,
  };
}

/**
 * A relative path is ignored, as the XDG specification has it: state would land in whatever folder croft is started in.
 */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** Nothing can be kept there, and Node tries without end to make a folder there. */
const ofTheKernel = /^\/(?:proc|sys|dev\/fd)(?:\/|$)/;

function homeOfUser(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined; // a user id without an entry, as in many containers
  }
}
