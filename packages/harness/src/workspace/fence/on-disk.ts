/** The fence around a folder on disk. */

import { opendirSync } from "node:fs";
import path from "node:path";
import { asFailure, Failure } from "../../error.ts";
import type { Policy } from "../../policy/policy.ts";
import { mechanismHere, type Mechanism } from "../place/mechanism.ts";
import { createFence } from "./create-fence.ts";
import type { Fence } from "../fence.ts";
import { quoted } from "../text/show-path.ts";
import type { Project } from "../walk/ignore.ts";
import type { Root } from "../place/place.ts";
import type { Observe } from "./step.ts";
import { codeOf, ifReachable, isForbidden } from "../place/system.ts";
import { gitToplevel } from "../walk/repository.ts";

/**
 * Holds a folder and fences it in; it stays that folder if it is renamed. Race-free on Linux; elsewhere see
 * place/checked.ts. Throws E_ROOT_NOT_FOUND, E_ROOT_NOT_FOLDER, E_ROOT_UNREADABLE. Whether a folder makes a sensible
 * root is the caller's to say.
 */
export function openFence(folder: string, policy: Policy): Fence {
  return fenceBy(mechanismHere(), folder, policy);
}

/**
 * As `openFence`, by a mechanism of choice, and with somebody who is told of every step of a change.
 * @internal
 */
export function fenceBy(mechanism: Mechanism, folder: string, policy: Policy, observe?: Observe): Fence {
  const root = openRoot(mechanism, folder);
  try {
    return createFence({
      root,
      policy,
      project: openProject(mechanism, root),
      dialect: process.platform === "win32" ? "windows" : "posix",
      observe,
    });
  } catch (thrown) {
    root.release();
    throw thrown;
  }
}

function openRoot(mechanism: Mechanism, folder: string): Root {
  let root: Root | undefined;
  try {
    root = mechanism(folder);
    // Holding a folder does not take the right to read it.
    opendirSync(root.top.systemPath()).closeSync();
    return root;
  } catch (thrown) {
    root?.release();
    throw noRoot(folder, thrown);
  }
}

function noRoot(folder: string, thrown: unknown): Failure {
  const options = { remedy: "Name a folder that exists and that you may read.", cause: thrown };
  const code = codeOf(thrown);
  if (code === "ENOENT") return new Failure("E_ROOT_NOT_FOUND", `There is no folder ${quoted(folder)}.`, options);
  if (code === "ENOTDIR") return new Failure("E_ROOT_NOT_FOLDER", `${quoted(folder)} is not a folder.`, options);
  if (!isForbidden(thrown)) return asFailure(thrown);
  return new Failure("E_ROOT_UNREADABLE", `The folder ${quoted(folder)} may not be read by this user.`, options);
}

/** Ignore files count from git's folder on, which may lie above the root; it is held for that and nothing else. */
export function openProject(mechanism: Mechanism, root: Root): Project {
  const toplevel = gitToplevel(root.path);
  const above = toplevel === undefined ? undefined : ifReachable(() => mechanism(toplevel));
  if (toplevel === undefined || above === undefined) return { top: root.top, within: [], release() {} };
  return { top: above.top, within: path.relative(toplevel, root.path).split(path.sep), release: () => above.release() };
}
