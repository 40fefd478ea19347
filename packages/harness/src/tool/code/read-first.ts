/** Nobody changes what they have not read. */

import { asFailure, Failure } from "../../error.ts";
import { showPath } from "../../workspace/text/show-path.ts";
import { decode } from "../../workspace/text/text.ts";
import type { Source } from "../../workspace/workspace.ts";
import type { ToolContext } from "../tool.ts";

/**
 * A file as it is now, which the model has read as it is now. Throws E_NOT_READ, E_STALE, E_BINARY for what cannot be
 * read, and as `source` does.
 */
export async function readFirst(path: string, { workspace, ledger, signal }: ToolContext): Promise<Source> {
  const source = await workspace.source(path, signal);
  const name = showPath(source.path);
  const knowledge = ledger.seen(source.path, source.hash);
  if (knowledge === "current") return source;
  if (knowledge === "changed") {
    throw new Failure("E_STALE", `${name} changed since you last read it.`, {
      remedy: "Read it again, then change what stands there now.",
    });
  }
  if (decode(source.bytes) === undefined) {
    throw new Failure("E_BINARY", `${name} is a binary file.`, {
      remedy: "Only text can be changed; to move or remove it, run a command.",
    });
  }
  throw new Failure("E_NOT_READ", `Read ${name} first: you have not read it with read_file.`, {
    remedy: "Then make the change again.",
  });
}

/** The same, or undefined where there is no file: that there is none is found out again when a change is planned. */
export async function readFirstIfThere(path: string, context: ToolContext): Promise<Source | undefined> {
  try {
    return await readFirst(path, context);
  } catch (thrown) {
    if (asFailure(thrown).code === "E_NOT_FOUND") return undefined;
    throw thrown;
  }
}
