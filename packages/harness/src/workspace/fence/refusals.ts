/** What the fence says when it refuses: what happened, then the next step. */

import { asFailure, Failure } from "../../error.ts";
import type { Access, PathVerdict } from "../../policy/policy.ts";
import { maxChangedBytes } from "../place/content.ts";
import { codeOf, isForbidden } from "../place/system.ts";
import { quoted } from "../text/show-path.ts";
import { tooLong } from "./lexical.ts";

/** Runs what may throw an error of the system, and tells it in words. */
export function inWords<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (thrown) {
    throw readFailure(path, thrown);
  }
}

/** An error of the system that came up while reading. */
export function readFailure(path: string, thrown: unknown): Failure {
  if (codeOf(thrown) === "ENAMETOOLONG") return tooLong(path);
  if (isForbidden(thrown)) {
    return new Failure("E_UNREADABLE", `${quoted(path)} may not be read by this user.`, { cause: thrown });
  }
  return asFailure(thrown);
}

export function notFound(asked: string): Failure {
  return new Failure("E_NOT_FOUND", `${quoted(asked)} does not lead to a file or folder in the project.`, {
    remedy: "List or search the project to find the path.",
  });
}

export function denied(asked: string, path: string, access: Access, verdict: PathVerdict): Failure {
  const led = asked === path ? quoted(path) : `${quoted(asked)} leads to ${quoted(path)}, which`;
  const done = { read: "read", list: "listed", write: "written" }[access];
  return new Failure("E_DENIED", `${led} is protected (${verdict.rule}): it is never ${done} in this mode.`, {
    remedy: "Go on without it, and say so if the answer depends on it.",
  });
}

export function isFolder(path: string): Failure {
  return new Failure("E_IS_FOLDER", `${quoted(path)} is a folder.`, { remedy: "List it instead." });
}

export function notRegular(path: string): Failure {
  return new Failure("E_NOT_REGULAR", `${quoted(path)} is a FIFO, socket or device, not a file to read.`);
}

export function notFolder(path: string): Failure {
  return new Failure("E_NOT_FOLDER", `${quoted(path)} is not a folder.`, { remedy: "Read it instead." });
}

export function tooLarge(path: string, bytes: number, limit: number): Failure {
  return new Failure("E_TOO_LARGE", `${quoted(path)} has ${bytes} bytes, more than the ${limit} to be read whole.`, {
    remedy: "Search it for the lines that matter.",
  });
}

export function released(): Failure {
  return new Failure("E_RELEASED", "This plan is over: a plan is applied once.");
}

/** A link in the way of a file that is to be made. */
export function leadsNowhere(asked: string): Failure {
  return new Failure("E_NOT_FOUND", `${quoted(asked)} does not lead to a place in the project.`, {
    remedy: "A link on the way leads nowhere or outside: give another path.",
  });
}

export function gone(path: string): Failure {
  return new Failure("E_NOT_FOUND", `There is no file ${quoted(path)}.`, {
    remedy: "List the folder to see what is there.",
  });
}

export function alreadyThere(path: string): Failure {
  return new Failure("E_EXISTS", `There is a file ${quoted(path)} already.`, { remedy: "Read it, then change it." });
}

export function changedSince(path: string): Failure {
  return new Failure("E_STALE", `${quoted(path)} changed since you last read it.`, {
    remedy: "Read it again, then repeat the change.",
  });
}

export function moved(path: string): Failure {
  return new Failure("E_STALE", `A folder on the way to ${quoted(path)} was moved or replaced meanwhile.`, {
    remedy: "List the folder to see what is there, then repeat the change.",
  });
}

/** A file that is removed by the name of a link would leave a link that leads nowhere. */
export function isLink(asked: string, path: string): Failure {
  return new Failure("E_IS_LINK", `${quoted(asked)} leads to ${quoted(path)} through a link.`, {
    remedy: `To remove or move the file, name it as ${quoted(path)}. Links themselves are not removed by this tool.`,
  });
}

/** A link on the way to what is to be written, where none may be. */
export function throughLink(asked: string, path: string): Failure {
  return new Failure(
    "E_IS_LINK",
    `${quoted(asked)} leads to ${quoted(path)} through a link, which is not written here.`,
    {
      remedy: `Name the file itself: ${quoted(path)}.`,
    },
  );
}

export function sameFile(one: string, other: string): Failure {
  return new Failure("E_SAME_FILE", `${quoted(one)} and ${quoted(other)} are the same file, changed twice.`, {
    remedy: "Make one change of the two.",
  });
}

export function tooLargeToChange(path: string, bytes: number): Failure {
  return new Failure(
    "E_TOO_LARGE",
    `${quoted(path)} has ${bytes} bytes, more than the ${maxChangedBytes} that are changed.`,
    {
      remedy: "Change it by a program, or in an editor.",
    },
  );
}

/** An error of the system that came up while writing. */
export function writeFailure(path: string, thrown: unknown): Failure {
  const code = codeOf(thrown);
  if (code === "E_MOVED" || code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return moved(path);
  if (code === undefined || thrown instanceof Failure) return asFailure(thrown);
  if (code === "ENAMETOOLONG") return tooLong(path);
  if (code === "EEXIST") return alreadyThere(path);
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG") {
    return new Failure("E_DISK_FULL", `There is no room to write ${quoted(path)}.`, {
      remedy: "Tell the user: room must be made before anything can be changed.",
      cause: thrown,
    });
  }
  return new Failure("E_UNWRITABLE", `${quoted(path)} may not be written by this user, or not here (${code}).`, {
    remedy: "Go on without it, and tell the user.",
    cause: thrown,
  });
}

/** The worst: something failed, and then what had landed could not all be taken back. */
export function halfLanded(left: readonly string[], cause: Failure): Failure {
  const all = left.map(quoted).join(", ");
  return new Failure("E_HALF_LANDED", `${cause.message} What had been changed before could not be put back: ${all}.`, {
    remedy: "Read these files to see how they are now, and tell the user.",
    cause,
  });
}
