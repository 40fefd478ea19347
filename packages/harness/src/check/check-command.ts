/** How a project is checked, and what that is told by. */

/** `from` names what says so, for people. `calls`: scripts that the command runs by their names. */
export type CheckCommand = { command: string; from: string; calls?: string | undefined };

/** What detection sees of a project, as it was before the turn. */
export type ProjectFacts = {
  /** Names in its own folder. */
  names: ReadonlySet<string>;
  /** The text of one of its files; undefined where there is none. */
  text: (path: string) => string | undefined;
  /** Paths of its tests, and of what defines how they are run. */
  tests: Iterable<string>;
};
