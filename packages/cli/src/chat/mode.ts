import type { Mode } from "./screen.ts";

const order: readonly Mode[] = ["ask", "yes", "plan"];

/** What each mode means, in a line. */
export const meaning: Readonly<Record<Mode, string>> = {
  plan: "nothing is changed until you accept the plan",
  ask: "each change is a question",
  yes: "ordinary changes and commands in the sandbox are not asked about",
};

export function nextMode(mode: Mode): Mode {
  return order[(order.indexOf(mode) + 1) % order.length] ?? "ask";
}
