/** What a turn keeps around its commands, so that undo knows what they changed, and what is told of it. */

import { neverAborted } from "../never.ts";
import type { Around } from "../process/start-command.ts";
import type { CommandCover, OpenTurn } from "../workspace/snapshot.ts";
import { showPath } from "../workspace/text/show-path.ts";

/** Paths that are named; the rest is counted. */
const mostNamed = 20;

/** `turn`: the one that is going on. `onChange`: a command changed something. */
export function covering(cover: CommandCover, turn: () => OpenTurn, onChange: () => void): Around {
  return {
    before: (signal) => cover.before(signal),
    async after() {
      const { paths, protectedPaths, notices } = await cover.after(turn(), neverAborted());
      if (paths.length > 0) onChange();
      return [
        ...(paths.length === 0 ? [] : [`Changed meanwhile: ${named(paths)}.`]),
        ...(protectedPaths.length === 0 ? [] : [`New, and never to be written by croft: ${named(protectedPaths)}.`]),
        ...notices,
      ];
    },
  };
}

function named(paths: readonly string[]): string {
  const rest = paths.length - mostNamed;
  return paths.toSorted().slice(0, mostNamed).map(showPath).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** Where nothing is kept, every command may have changed something. */
export function suspecting(onChange: () => void): Around {
  return {
    before: async () => undefined,
    async after() {
      onChange();
      return [];
    },
  };
}
