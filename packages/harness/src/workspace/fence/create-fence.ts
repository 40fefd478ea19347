/** A fence from any root and a policy: refuses by spelling, resolves, judges where that led, and says so in words. */

import { basename, dirname, posix } from "node:path";
import { Failure } from "../../error.ts";
import type { Policy } from "../../policy/policy.ts";
import { bytesOf, contentOf } from "../place/content.ts";
import type { Fence, Pinned } from "../fence.ts";
import type { Project } from "../walk/ignore.ts";
import { explainForeign, relativePath, type Dialect } from "./lexical.ts";
import { walk } from "../walk/walk.ts";
import type { Place, Root } from "../place/place.ts";
import { denied, inWords, isFolder, notFolder, notFound, notRegular, tooLarge, readFailure } from "./refusals.ts";
import type { Observe } from "./step.ts";
import { sweep } from "./temporary.ts";

export type FenceParts = {
  readonly root: Root;
  readonly policy: Policy;
  readonly project: Project;
  readonly dialect: Dialect;
  readonly observe?: Observe | undefined;
};

/** Closing the fence releases the root and the project. */
export function createFence({ root, policy, project, dialect, observe }: FenceParts): Fence {
  const places = new WeakMap<Pinned, Place>();

  function placeOf(pinned: Pinned): Place {
    const place = places.get(pinned);
    if (place === undefined) throw new Failure("E_RELEASED", `${pinned.path} was not pinned by this fence.`);
    return place;
  }

  function fileOf(pinned: Pinned): Place {
    if (pinned.kind === "file") return placeOf(pinned);
    throw pinned.kind === "directory" ? isFolder(pinned.path) : notRegular(pinned.path);
  }

  function folderOf(pinned: Pinned): Place {
    if (pinned.kind === "directory") return placeOf(pinned);
    throw notFolder(pinned.path);
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
        const { path, kind, size, owner, mode } = place;
        const verdict = policy.judge(path, access);
        if (verdict.decision === "deny") throw denied(asked, path, access, verdict);
        pinned = { path, kind, size, owner, mode, verdict, [Symbol.dispose]: () => place.release() };
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
        throw readFailure(file.path, thrown);
      }
    },
    open: (file) => inWords(file.path, () => fileOf(file).open()),
    now: (file) => inWords(file.path, () => fileOf(file).now()),
    content(file, limit) {
      const place = fileOf(file);
      if (place.size > limit) throw tooLarge(file.path, file.size, limit);
      return inWords(file.path, () => contentOf(place));
    },
    async *list(folder, options, signal) {
      try {
        yield* walk({ folder: folderOf(folder), options, policy, project }, signal);
      } catch (thrown) {
        signal.throwIfAborted();
        throw readFailure(folder.path, thrown);
      }
    },
    cwd: (folder) => folderOf(folder).systemPath(),
    nameOf(file) {
      // "self" would be the child.
      const path = fileOf(file)
        .systemPath()
        .replace(/^\/proc\/self\//, `/proc/${process.pid}/`);
      return { cwd: dirname(path), file: basename(path) };
    },
    async plan(changes) {
      // Loaded late because of `node:crypto`: see workspace/reading.ts.
      const { planChanges } = await import("./plan.ts");
      return planChanges({ root, policy, dialect, observe }, changes);
    },
    sweep: (temporary) => sweep(root, temporary),
    close() {
      root.release();
      project.release();
    },
  };
}
