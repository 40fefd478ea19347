/** What has happened, on its way to the screen: what is finished becomes rows, each written once; the rest is a view. */

import type { Event, LoggedEvent } from "@croft/harness";
import type { Block } from "./block.ts";
import { blockRows, type Page } from "./draw.ts";
import type { Row } from "./look.ts";
import { emptyView, folded, type View } from "./view.ts";

export type Transcript = {
  /** What is in motion. */
  view(): View;
  add: (blocks: readonly Block[]) => void;
  show: (event: Event) => void;
  /** Events of turns before: what was broken off in them runs no more. */
  recall: (events: readonly LoggedEvent[]) => void;
  /** Adds the last call in full; called again, the one before it. What there is to say of it. */
  unfold(): string;
  /** The rows that are to be written, for the caller to write. */
  takeRows(): readonly Row[];
  /** What comes next stands behind nothing. */
  clear(): void;
};

/** `page`: as it is when a block is drawn. `changed`: there is something new to be drawn. */
export function openTranscript(page: () => Page, changed: () => void): Transcript {
  let view: View = emptyView;
  let rows: Row[] = [];
  let last: Block | undefined;
  let unfolded = 0;

  function add(blocks: readonly Block[]): void {
    for (const block of blocks) {
      for (const row of blockRows(block, last, page())) rows.push(row); // more than a call takes arguments
      last = block;
    }
    changed();
  }

  function take(event: Event, at: number): void {
    const next = folded(view, event, at);
    view = next.view;
    add(next.blocks);
  }

  return {
    view: () => view,
    add,
    show(event) {
      if (event.type === "tool_result") unfolded = 0;
      take(event, performance.now());
    },
    recall(events) {
      for (const event of events) take(event, event.ms);
      view = { ...emptyView, records: view.records };
    },
    unfold() {
      const ended = view.records.filter(({ result }) => result !== undefined);
      const record = ended[ended.length - 1 - unfolded];
      if (record === undefined) {
        return ended.length === 0 ? "There is no call to unfold yet." : "There is no earlier call.";
      }
      unfolded += 1;
      add([{ type: "record", name: record.name, input: record.input, result: record.result ?? "" }]);
      return "Ctrl+O again unfolds the call before it.";
    },
    takeRows() {
      const taken = rows;
      rows = [];
      return taken;
    },
    clear() {
      rows = [];
      last = undefined;
    },
  };
}
