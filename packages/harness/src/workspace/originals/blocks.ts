/** Blocks of whole lines within a text, found line by line: what a stranger wrote takes no longer than it is long. */

export type Block = {
  /** A line that has to stand before it. */
  mark?: RegExp | undefined;
  /** Lines that may stand between that and the block. */
  between?: RegExp | undefined;
  opens: RegExp;
  /** The line it ends with. Where there is none, it goes to the end of the text. */
  closes: string;
};

/** All blocks, and all other lines, each as one text. */
export function splitBlocks(text: string, { mark, between, opens, closes }: Block): { blocks: string; rest: string } {
  const blocks: string[] = [];
  const rest: string[] = [];
  /** Lines that are part of a block, if one follows. */
  let waiting: string[] = [];
  let within = false;
  for (const line of text.split("\n")) {
    if (within) {
      blocks.push(line);
      within = line !== closes;
    } else if ((mark === undefined || waiting.length > 0) && opens.test(line)) {
      blocks.push(...waiting, line);
      waiting = [];
      within = true;
    } else if (waiting.length > 0 && between?.test(line) === true) {
      waiting.push(line);
    } else {
      rest.push(...waiting);
      waiting = mark?.test(line) === true ? [line] : [];
      if (waiting.length === 0) rest.push(line);
    }
  }
  return { blocks: blocks.join("\n"), rest: [...rest, ...waiting].join("\n").trimEnd() };
}
