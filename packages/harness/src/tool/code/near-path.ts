/** For a path that leads nowhere: which ones there are that were probably meant. */

import { asFailure, Failure } from "../../error.ts";
import { showPath } from "../../workspace/text/show-path.ts";
import type { ToolContext } from "../tool.ts";

/** Entries of the project that are looked at, and names that are told. */
const maxLooked = 20_000;
const maxTold = 3;

/** Does it; an E_NOT_FOUND then names the paths that are like `path`. Throws what `act` throws. */
export async function withNearPaths<T>(
  path: string,
  context: Pick<ToolContext, "workspace" | "signal">,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    const failure = asFailure(thrown);
    if (failure.code !== "E_NOT_FOUND") throw thrown;
    const near = await nearPaths(path, context);
    if (near.length === 0) throw thrown;
    throw new Failure(failure.code, failure.message, {
      remedy: `There is ${near.map(showPath).join(", ")}: name it exactly so if that is meant.`,
      cause: thrown,
    });
  }
}

/** Those that differ only in what is easily got wrong; if there are none, those that end in the same name. */
async function nearPaths(
  asked: string,
  { workspace, signal }: Pick<ToolContext, "workspace" | "signal">,
): Promise<string[]> {
  const wanted = folded(asked);
  const name = nameIn(wanted);
  const same: string[] = [];
  const sameName: string[] = [];
  let looked = 0;
  try {
    for await (const entry of workspace.list(".", {}, signal)) {
      if ("done" in entry || (looked += 1) > maxLooked) break;
      const found = folded(entry.path);
      if (found === wanted) same.push(entry.path);
      else if (nameIn(found) === name) sameName.push(entry.path);
    }
  } catch {
    // Whatever keeps the project from being listed: the path is not found all the same.
    signal.throwIfAborted();
  }
  return (same.length > 0 ? same : sameName).slice(0, maxTold);
}

/**
 * Without what people and models get wrong: case, the kind of blank, quote and slash, how accents are composed, and
 * what they put around a path: quotes, `@`, `./`, a line number.
 */
function folded(path: string): string {
  return path
    .normalize("NFKC")
    .replace(/[\u2018\u2019\u201c\u201d"`]/g, "'")
    .replaceAll("\\", "/")
    .replace(/^[\s'@]+|(?::\d+(?:[:-]\d+)?|#L\d+(?:-L?\d+)?)?[\s'/]*$/g, "")
    .replace(/^(?:\.?\/)+/, "")
    .toLowerCase();
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
