/** Writes the page about a trace, a block at a time, however long the trace is. */

import { closeSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
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

/** For the file's owner alone, as the trace is. Every method throws what the file system says. */
export function openPage(file: string): PageWriter {
  const unfinished = `${file}.${process.pid}.part`;
  const descriptor = openSync(unfinished, "wx", 0o600);
  let open = true;
  const blocks = createBlocks();
  const fold = createRowFold((row) => {
    for (const block of blocks.add(row)) writeFileSync(descriptor, blockElement(block));
  });
  writeFileSync(descriptor, pageHead());
  return {
    take: (line) => fold.take(line),
    end(totals) {
      fold.end();
      for (const block of blocks.end()) writeFileSync(descriptor, blockElement(block));
      writeFileSync(descriptor, pageEnd(totals));
      closeSync(descriptor);
      open = false;
      renameSync(unfinished, file);
    },
    [Symbol.dispose]() {
      if (open) closeSync(descriptor);
      rmSync(unfinished, { force: true });
    },
  };
}
