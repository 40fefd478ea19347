/** The data of the page: heads of all rows, read at once; bodies, looked up block by block and forgotten again. */

import type { Head, Part } from "../row.ts";
import type { Totals } from "../totals.ts";

/** A head, and where its body is. */
export type Entry = Head & { block: number; place: number };

export type Bodies = {
  blocks: number;
  /** Of every row of a block, in order. */
  of(block: number): Promise<readonly (readonly Part[])[]>;
};

/** Blocks that stay unpacked: those on the screen, and a few around. */
const unpackedMost = 12;

export async function readTotals(): Promise<Totals> {
  const holder = document.querySelector("script[data-totals]");
  if (holder === null) throw new Error("The page ends before its data do: it was not written to its end.");
  return unpack<Totals>(holder);
}

/** `progress` is told which share has been read. */
export async function readEntries(progress: (share: number) => void): Promise<Entry[]> {
  const holders = [...document.querySelectorAll("script[data-heads]")];
  const entries: Entry[] = [];
  for (const [block, holder] of holders.entries()) {
    const heads = await unpack<Head[]>(holder);
    for (const [place, head] of heads.entries()) entries.push({ ...head, block, place });
    holder.remove();
    progress((block + 1) / holders.length);
  }
  return entries;
}

export function openBodies(): Bodies {
  const holders = [...document.querySelectorAll("script[data-bodies]")];
  const unpacked = new Map<number, Promise<Part[][]>>();
  return {
    blocks: holders.length,
    of(block) {
      const found = unpacked.get(block) ?? unpack<Part[][]>(holders[block]);
      unpacked.delete(block);
      unpacked.set(block, found);
      for (const oldest of unpacked.keys()) {
        if (unpacked.size <= unpackedMost) break;
        unpacked.delete(oldest);
      }
      return found;
    },
  };
}

/** Written by croft itself, beside this script: its shape is not in question, its texts are. */
async function unpack<Value>(holder: Element | undefined): Promise<Value> {
  const binary = atob(holder?.textContent ?? "");
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
}
