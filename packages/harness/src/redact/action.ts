import type { Action } from "../gate/action.ts";

/**
 * What is told of an action: the same without what the model wrote or a file held of secrets. Who decides it needs the
 * action itself.
 */
export function hiddenAction(action: Action, hide: (text: string) => string): Action {
  if (action.kind === "write") {
    return { ...action, changes: action.changes.map((change) => ({ ...change, diff: hide(change.diff) })) };
  }
  if (action.kind !== "run") return action;
  const { command, outside } = action;
  if (typeof command !== "string") hide(command.join(" ")); // what only its neighbour gives away is known from then on
  return {
    ...action,
    command: typeof command === "string" ? hide(command) : command.map(hide),
    outside: outside === undefined ? undefined : hide(outside),
  };
}
