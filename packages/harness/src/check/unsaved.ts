/** The check that nothing authored in memory is forgotten there. */

import type { Staging } from "../artifact/staging.ts";
import type { Event } from "../event.ts";
import type { Check } from "./check.ts";
import words from "./unsaved.md";

export type Unsaved = {
  /** Tells the model once a turn, and each copy once; then it is told to people, and the turn may end. */
  readonly check: Check;
  /** What people are still to be told where a turn ends otherwise; the next one begins anew. */
  lastWords(): Event[];
};

/** Watches what is staged, turn by turn. */
export function watchUnsaved(staging: Pick<Staging, "unsaved">): Unsaved {
  const known = new Set<string>();
  let isModelTold = false;
  let arePeopleTold = false;
  return {
    lastWords() {
      const left = staging.unsaved();
      const isSilent = arePeopleTold || left.length === 0;
      isModelTold = false;
      arePeopleTold = false;
      return isSilent ? [] : [noticeOf(left)];
    },
    check: {
      name: "unsaved",
      rounds: 1,
      async run(_turn, emit) {
        const left = staging.unsaved();
        if (left.length === 0) return { pass: true };
        if (!isModelTold && left.some(({ id }) => !known.has(id))) {
          isModelTold = true;
          for (const { id } of left) known.add(id);
          return { pass: false, report: words.trim().replace("{{media}}", () => named(left)) };
        }
        arePeopleTold = true;
        emit(noticeOf(left));
        return { pass: true };
      },
    },
  };
}

type Named = { readonly id: string; readonly name: string };

function noticeOf(left: readonly Named[]): Extract<Event, { type: "notice" }> {
  return { type: "notice", code: "unsaved", text: `Staged and not saved: ${named(left)}` };
}

function named(left: readonly Named[]): string {
  return left.map(({ id, name }) => `${id} (${name})`).join(", ");
}
