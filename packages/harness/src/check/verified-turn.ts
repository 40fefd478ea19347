/** The port between the check and the turn whose work it looks at. */

import type { Built } from "../workspace/originals/built.ts";
import type { CheckFiles, Difference } from "../workspace/originals/look.ts";
import type { Originals } from "../workspace/originals/originals.ts";
import type { CheckCommand } from "./check-command.ts";

/** One turn as far as it is verified. */
export interface VerifiedTurn {
  /** Whether it changed files, itself or by commands. */
  readonly changed: boolean;
  /** The user's versions; undefined where they could not be kept. */
  readonly originals: Originals | undefined;
  /** Undefined where nothing says how to check the project. */
  command(): CheckCommand | undefined;
  /** What this session has built and cached, but for runs of the check. Throws the signal's reason. */
  built(signal: AbortSignal): Promise<Built>;
  /** Files of installed packages that changed in this session. Throws the signal's reason. */
  installed(signal: AbortSignal): Promise<readonly string[]>;
  /** Whether the task asks for it. */
  isWanted(difference: Difference): boolean;
  /** Paths of tests, and of what defines the check, whose change a person approved: these are their versions now. */
  readonly approved: readonly string[];
  /** Programs that were started and still run: what they do to files while these are checked, nobody sees. */
  running(): readonly string[];
  /** A failure goes back: from now on tests are held. */
  holdTests(): void;
  /** What the last round left, and the failure it ended with. */
  before: { files: CheckFiles | undefined; failure: string | undefined };
}
