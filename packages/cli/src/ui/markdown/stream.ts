/**
 * Markdown that arrives in pieces, cut into blocks as soon as each is complete, so that it can be drawn once and for
 * good. Looks at every line once; what a block is in detail is left to who draws it.
 */

export type Stream = {
  /** Of the unfinished block, whole lines and what has come of the next. */
  readonly pending: string;
  /** Characters of it that have been looked at: whole lines. */
  readonly seen: number;
  /** The fence that an unfinished code block was opened with. */
  readonly fence: string | undefined;
  /** The last line seen was blank. */
  readonly blank: boolean;
  /** A list has begun in it. */
  readonly list: boolean;
};

export const emptyStream: Stream = Object.freeze({ pending: "", seen: 0, fence: undefined, blank: false, list: false });

/** Characters and lines of an unfinished block, before what there is of it is called one. */
const charactersMost = 8_000;
const linesMost = 200;

/** The sources of all blocks that are complete by now, and what goes on. */
export function fed(stream: Stream, text: string): { stream: Stream; blocks: string[] } {
  const blocks: string[] = [];
  let state: Stream = { ...stream, pending: stream.pending + text };
  for (;;) {
    const end = state.pending.indexOf("\n", state.seen);
    if (end === -1) break;
    state = withLine(state, state.pending.slice(state.seen, end), end + 1, blocks);
  }
  const next = state.pending.slice(state.seen);
  if (state.blank && state.fence === undefined && !state.list && /^\S/.test(next))
    state = finished(state, state.seen, blocks);
  while (state.pending.length > charactersMost) state = split(state, blocks);
  return { stream: state, blocks };
}

/** What is left when no more comes. */
export function ended({ pending }: Stream): string[] {
  return pending.trim() === "" ? [] : [pending];
}

function withLine(state: Stream, line: string, end: number, blocks: string[]): Stream {
  const { fence, seen, pending } = state;
  const isLong = end > charactersMost || pending.slice(0, end).split("\n", linesMost + 1).length > linesMost;
  if (fence !== undefined) {
    const closed = line.trim().startsWith(fence) && /^(`+|~+)$/.test(line.trim());
    const next = { ...state, seen: end, fence: closed ? undefined : fence };
    if (closed && !state.list) return finished(next, end, blocks);
    return isLong && !closed ? split(next, blocks) : next;
  }
  const opened = /^\s*(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
  const blank = line.trim() === "";
  const before = pending.slice(0, seen);
  // It belongs to no list, and to nothing else that came before it.
  const begins = /^#{1,6}(\s|$)/.test(line) || (opened !== undefined && !/^\s/.test(line));
  const item = /^\s*([-*+]|\d+[.)])\s/.test(line);
  const parted = state.blank && !blank && !(state.list && (item || /^\s/.test(line)));
  const next: Stream = { ...state, seen: end, blank, fence: opened, list: state.list || item };
  if (before.trim() !== "" && (begins || parted)) {
    const after = finished(state, seen, blocks);
    return withLine(after, line, end - seen, blocks);
  }
  if (begins && opened === undefined) return finished(next, end, blocks);
  return isLong ? split(next, blocks) : next;
}

function finished(state: Stream, end: number, blocks: string[]): Stream {
  const block = state.pending.slice(0, end);
  if (block.trim() !== "") blocks.push(block);
  return { ...emptyStream, pending: state.pending.slice(end), fence: state.fence };
}

/** Ends the block behind its last whole line, or within a line that has no end; code goes on as code of its kind. */
function split(state: Stream, blocks: string[]): Stream {
  const { pending, seen, fence, list } = state;
  const opening = fence === undefined ? "" : pending.slice(0, pending.indexOf("\n") + 1);
  const end = seen > opening.length ? seen : Math.min(pending.length, charactersMost);
  const part = pending.slice(0, end);
  blocks.push(fence === undefined ? part : `${part}${part.endsWith("\n") ? "" : "\n"}${fence}\n`);
  return { pending: opening + pending.slice(end), seen: opening.length, fence, blank: false, list };
}
