import type { Event } from "@croft/harness";
import type { Io } from "../io.ts";

/** Says once, where nobody can be asked, that something was refused for it and what would have allowed it. */
export function refusalHint(yes: boolean, { err }: Io): (event: Event) => void {
  let said = false;
  return (event) => {
    if (said || event.type !== "decision" || event.verdict.unasked === undefined) return;
    said = true;
    const next = yes
      ? "Run it on a terminal to be asked: --yes does not cover it."
      : "Run it on a terminal to be asked, or allow ordinary changes with --yes.";
    err.write(`croft: Nobody can be asked here, so what needs approval is refused. ${next}\n`);
  };
}
