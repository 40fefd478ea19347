/** What all launches of one enclosure share: made with the first of them, removed when it is closed. */

import { mkdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { Failure } from "../../error.ts";
import { makeControlGroup, type ControlGroup } from "../limits/control-group.ts";
import { defaultLimits, type Limits } from "../limits/limits.ts";
import { machineOf } from "../seccomp/calls.ts";
import { seccompFilter } from "../seccomp/filter.ts";
import type { Mount } from "./mount.ts";
import type { BubblewrapOptions } from "./options.ts";
import { openLaunchFiles, type LaunchFiles } from "./launch-files.ts";
import { copySettings, systemMounts } from "./system.ts";
import { toolchainMounts } from "./toolchains.ts";

export type Session = {
  readonly files: LaunchFiles;
  readonly group: ControlGroup;
  readonly limits: Limits;
  /** All but the project. */
  readonly mounts: readonly Mount[];
  /** Real path. */
  readonly cache: string;
  close(): Promise<void>;
};

/** Throws E_NO_ENCLOSURE, the system's error. */
export function openSession(options: BubblewrapOptions): Session {
  const { root, home, homeFiles = {}, cache: asked, limits: given } = options;
  const machine = machineOf();
  if (machine === undefined) {
    throw new Failure("E_NO_ENCLOSURE", `croft has no list of system calls for ${process.arch}.`);
  }
  const limits = { ...defaultLimits(), ...given };
  mkdirSync(asked, { recursive: true, mode: 0o700 });
  const cache = realpathSync(asked);
  const files = openLaunchFiles(seccompFilter(machine), [root, cache]);
  const etc = join(files.folder, "etc");
  copySettings(etc);
  const group = makeControlGroup(basename(files.folder), limits);
  const scratch = (target: string, mode: string): Mount => ({ kind: "scratch", target, bytes: limits.scratch, mode });
  return {
    files,
    group,
    limits,
    mounts: [
      // What of it lies where the system has a link, has its place already.
      ...toolchainMounts(options),
      ...systemMounts(etc, process.getuid?.() === 0),
      scratch("/tmp", "1777"),
      scratch("/dev/shm", "1777"),
      scratch(home, "0700"),
      ...Object.entries(homeFiles).map(([name, text]): Mount => {
        return { kind: "read-only", source: files.fileWith(text), target: join(home, name) };
      }),
      { kind: "writable", source: cache, target: cache },
    ],
    cache,
    close: async () => {
      await group.remove();
      files.remove();
    },
  };
}
