import type { Replayed } from "@croft/harness";
import { escapeLine } from "./escape.ts";
import type { Paint } from "./paint.ts";
import { plural } from "./plural.ts";

type Difference = Replayed["differences"][number];
type Damage = Replayed["damage"][number];

/** What came of a replay, for a person, in lines. */
export function verdictLines(replayed: Replayed, paint: Paint): string[] {
  const { same, events, calls, unfinished, differences, damage } = replayed;
  const compared = plural(events, "event");
  const again = calls === 0 ? "" : `; ${plural(calls, "call")} made again`;
  const part =
    unfinished === 0 ? "" : `; the trace ends before ${unfinished === 1 ? "its turn does" : "some of its turns do"}`;
  const found = plural(differences.length + damage.length, "difference");
  return [
    ...damage.map((each) => paint.bad(damageLine(each))),
    ...differences.flatMap((each) => differenceLines(each, paint)),
    same
      ? `replay: identical, ${compared}${again}${part}`
      : paint.bad(`replay: ${found}, ${compared} compared${again}${part}`),
  ];
}

function damageLine({ line, what }: Damage): string {
  if (what === "altered") return `replay: line ${line} of the trace was changed after it was written`;
  return `replay: line ${line} of the trace cannot be read; its turn is played up to there`;
}

function differenceLines({ line, step, what, recorded, now }: Difference, paint: Paint): string[] {
  return [
    paint.bad(`replay: line ${line} (step ${step}) differs: ${escapeLine(what)}`),
    `   recorded: ${escapeLine(recorded)}`,
    `   now:      ${escapeLine(now)}`,
  ];
}
