/** What events keep of an action: who is asked sees all of a diff, a log of many edits keeps a part of each. */

import type { Action } from "../gate/action.ts";

/** UTF-16 units: of a line, and of all diffs of one action. */
const lineMost = 900;
const diffsMost = 64_000;

/** The same action with its diffs cut: long lines at their ends, then whole lines, both counted in the text itself. */
export function loggedAction(action: Action): Action {
  if (action.kind !== "write") return action;
  let room = diffsMost;
  return {
    ...action,
    changes: action.changes.map((change) => {
      const diff = shortened(change.diff, room);
      room = Math.max(0, room - diff.length);
      return { ...change, diff };
    }),
  };
}

function shortened(diff: string, room: number): string {
  if (diff.length <= lineMost) return diff;
  const kept: string[] = [];
  let length = 0;
  const lines = diff.replace(/\n$/, "").split("\n");
  for (const line of lines) {
    const cut = line.length > lineMost ? `${head(line)}… (+${line.length - lineMost} more characters)` : line;
    length += cut.length + 1;
    if (length > room) break;
    kept.push(cut);
  }
  const left = lines.length - kept.length;
  return left === 0 ? `${kept.join("\n")}\n` : [...kept, `… (+${left} more lines)`, ""].join("\n");
}

/** Without half of a surrogate pair at its end. */
function head(line: string): string {
  return line.slice(0, lineMost).replace(/[\ud800-\udbff]$/, "");
}
