/** A fence from any root and a policy: refuses by spelling, resolves, judges where that led, and says so in words. */

import { posix } from "node:path";
import { asFailure, Failure } from "../../error.ts";
import type { Access, PathVerdict, Policy } from "../../policy/policy.ts";
import { bytesOf, contentOf } from "../place/content.ts";
import type { Fence, Pinned } from "../fence.ts";
import type { Project } from "../walk/ignore.ts";
import { explainForeign, relativePath, tooLong, type Dialect } from "./lexical.ts";
import { quoted } from "../text/show-path.ts";
import { walk } from "../walk/walk.ts";
import type { Place, Root } from "../place/place.ts";
import { codeOf, isForbidden } from "../place/system.ts";

export type FenceParts = {
  readonly root: Root;
  readonly policy: Policy;
  readonly project: Project;
  readonly dialect: Dialect;
};

/** Closing the fence releases the root and the project. */
export function createFence({ root, policy, project, dialect }: FenceParts): Fence {
  const places = new WeakMap<Pinned, Place>();

  function placeOf(pinned: Pinned): Place {
    const place = places.get(pinned);
    if (place === undefined) throw new Failure("E_RELEASED", `${pinned.path} was not pinned by this fence.`);
    return place;
  }

  function fileOf(pinned: Pinned): Place {
    if (pinned.kind === "file") return placeOf(pinned);
    if (pinned.kind === "directory") {
      throw new Failure("E_IS_FOLDER", `${quoted(pinned.path)} is a folder.`, { remedy: "List it instead." });
    }
    throw new Failure("E_NOT_REGULAR", `${quoted(pinned.path)} is a FIFO, socket or device, not a file to read.`);
  }

  function folderOf(pinned: Pinned): Place {
    if (pinned.kind === "directory") return placeOf(pinned);
    throw new Failure("E_NOT_FOLDER", `${quoted(pinned.path)} is not a folder.`, { remedy: "Read it instead." });
  }

  return {
    root: root.path,
    policy,
    pin(asked, access) {
      const relative = relativePath(asked, root.path, dialect);
      const place = inWords(asked, () => root.resolve(relative));
      if (place === undefined) {
        explainForeign(asked);
        // A protected name is protected whether or not there is such a file: whoever asks does not learn which.
        const named = posix.normalize(relative);
        const verdict = policy.judge(named, access);
        throw verdict.decision === "deny" ? denied(asked, named, access, verdict) : notFound(asked);
      }
      let pinned: Pinned | undefined;
      try {
        const { path, kind, size, owner } = place;
        const verdict = policy.judge(path, access);
        if (verdict.decision === "deny") throw denied(asked, path, access, verdict);
        pinned = { path, kind, size, owner, verdict, [Symbol.dispose]: () => place.release() };
        places.set(pinned, place);
        return pinned;
      } finally {
        if (pinned === undefined) place.release();
      }
    },
    async *bytes(file, range) {
      try {
        yield* bytesOf(fileOf(file), range?.start ?? 0, range?.end ?? file.size);
      } catch (thrown) {
        throw told(file.path, thrown);
      }
    },
    content(file, limit) {
      const place = fileOf(file);
      if (place.size > limit) throw tooLarge(file, limit);
      return inWords(file.path, () => contentOf(place));
    },
    async *list(folder, options, signal) {
      try {
        yield* walk({ folder: folderOf(folder), options, policy, project }, signal);
      } catch (thrown) {
        signal.throwIfAborted();
        throw told(folder.path, thrown);
      }
    },
    cwd: (folder) => folderOf(folder).systemPath(),
    plan() {
      throw new Failure("E_INTERNAL", "Not built yet.");
    },
    sweep: () => false,
    close() {
      root.release();
      project.release();
    },
  };
}

/** Runs what may throw an error of the system, and tells it in words. */
function inWords<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (thrown) {
    throw told(path, thrown);
  }
}

function told(path: string, thrown: unknown): Failure {
  if (codeOf(thrown) === "ENAMETOOLONG") return tooLong(path);
  if (isForbidden(thrown)) {
    return new Failure("E_UNREADABLE", `${quoted(path)} may not be read by this user.`, { cause: thrown });
  }
  return asFailure(thrown);
}

function notFound(asked: string): Failure {
  return new Failure("E_NOT_FOUND", `${quoted(asked)} does not lead to a file or folder in the project.`, {
    remedy: "List or search the project to find the path.",
  });
}

function denied(asked: string, path: string, access: Access, verdict: PathVerdict): Failure {
  const led = asked === path ? quoted(path) : `${quoted(asked)} leads to ${quoted(path)}, which`;
  const done = { read: "read", list: "listed", write: "written" }[access];
  return new Failure("E_DENIED", `${led} is protected (${verdict.rule}): it is never ${done} in this mode.`, {
    remedy: "Go on without it, and say so if the answer depends on it.",
  });
}

function tooLarge(file: Pinned, limit: number): Failure {
  return new Failure(
    "E_TOO_LARGE",
    `${quoted(file.path)} has ${file.size} bytes, more than the ${limit} to be read whole.`,
    {
      remedy: "Search it for the lines that matter.",
    },
  );
}
