/** Writes the page about a trace, a block at a time, however long the trace is. */

import { openWholeFile } from "../whole-file.ts";
import { createBlocks } from "./blocks.ts";
import { blockElement, pageEnd, pageHead } from "./html.ts";
import type { TraceLine } from "./read.ts";
import { createRowFold } from "./rows.ts";
import type { Totals } from "./totals.ts";

export type PageWriter = {
  take(line: TraceLine): void;
  /** The file is there from now on, in place of what was there. */
  end(totals: Totals): void;
  /** Leaves nothing behind, unless it has ended. */
  [Symbol.dispose](): void;
};

/** `trace`: what the page is about. Every method throws UsageError for what cannot be written. */
export function openPage(file: string, trace: string): PageWriter {
  const remedy = "Name another file.";
  const page = openWholeFile({ file, source: trace, what: "page", code: "E_PAGE", remedy });
  const blocks = createBlocks();
  const fold = createRowFold((row) => {
    for (const block of blocks.add(row)) page.write(blockElement(block));
  });
  page.write(pageHead());
  return {
    take: (line) => fold.take(line),
    end(totals) {
      fold.end();
      for (const block of blocks.end()) page.write(blockElement(block));
      page.write(pageEnd(totals));
      page.end();
    },
    [Symbol.dispose]: () => page[Symbol.dispose](),
  };
}
