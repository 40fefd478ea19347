/**
 * The port of an enclosure: an OS sandbox that holds commands to the policy of the file tools. One per session; it has
 * no state outside itself.
 */

/** What a command may do beyond the plain: "git" may write the contents of `.git`. */
export type Profile = "plain" | "git";

export type Confined = {
  /** The program as the command names it (looked up inside), then its arguments. */
  argv: readonly [string, ...string[]];
  /** Relative to the root. */
  cwd: string;
  profile: Profile;
  /** Hosts that may be reached, by name; none if empty. */
  hosts: readonly string[];
  /** What stands in the place of the project. Default: the project itself. */
  tree?: Tree | undefined;
  /** Nothing in the project can be written, whatever the profile says. */
  readOnly?: true | undefined;
  /** Open descriptors that the program gets, from `firstHanded` on; they stay whose they are. */
  handed?: readonly number[] | undefined;
};

/** Those below are an enclosure's own. */
export const firstHanded = 6;

/** A copy of the project, and what is mounted in it: `path` relative to the root, there in `folder`. */
export type Tree = {
  /** Absolute, of ours alone. */
  readonly folder: string;
  readonly shared: readonly { readonly path: string; readonly source: string; readonly writable: boolean }[];
};

/** How to start something on this system. Disposing lets go of what it needs; do so once it has ended. */
export interface Launch extends AsyncDisposable {
  /** An absolute path, then the arguments. */
  readonly argv: readonly [string, ...string[]];
  /** A folder of this system. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Open descriptors that the program gets as 3, 4, …; they stay the launch's own. */
  readonly descriptors: readonly number[];
  /**
   * One of these, in whose place the program may be given a socket: it writes a line to it and waits for one before it
   * runs anything, and at its end a line with the number of processes it left behind. Absent: it does not count.
   */
  readonly countAt?: number | undefined;
  /** Whether the system itself ends all that it starts, with it and with croft. */
  readonly endsWhole: boolean;
}

/** Whether commands can run in a sandbox here, and if not, why and what to do. */
export type EnclosureState =
  /** `unlimited`: what this system cannot limit, in words: "processes, since croft runs as root without cgroups". */
  | { state: "ready"; unlimited: readonly string[] }
  | { state: "missing" | "blocked" | "too old"; reason: string; remedy: string };

export interface Enclosure {
  /** Runs a real command inside and tries the known holes. */
  probe(signal: AbortSignal): Promise<EnclosureState>;
  /** Throws Failure where the policy cannot be held, naming what stands in the way. */
  launch(command: Confined, signal: AbortSignal): Promise<Launch>;
  /**
   * After a command: looks for what it may have left in protected places, takes it away to safety, and tells of it in
   * words.
   */
  inspect(signal: AbortSignal): Promise<readonly string[]>;
  /** Ends proxies and removes temporary folders. */
  close(): Promise<void>;
}
