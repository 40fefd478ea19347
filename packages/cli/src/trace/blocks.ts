/** Rows as blocks of a page: what is at hand at once apart from what is looked up, both compressed. */

import { deflateRawSync } from "node:zlib";
import type { Row } from "./row.ts";

/** `what` says which: heads and bodies come in pairs, of the same rows in the same order. */
export type Block = { what: "heads" | "bodies"; base64: string };

/** Characters of JSON, and rows, after which a block ends. */
const charactersMost = 256 * 1024;
const rowsMost = 128;

export type Blocks = {
  /** Gives the blocks that are full with it. */
  add(row: Row): Block[];
  /** Those that are left. */
  end(): Block[];
};

/** Held are the rows of one block. */
export function createBlocks(): Blocks {
  let heads: string[] = [];
  let bodies: string[] = [];
  let size = 0;

  function end(): Block[] {
    if (heads.length === 0) return [];
    const blocks: Block[] = [
      { what: "heads", base64: packed(heads) },
      { what: "bodies", base64: packed(bodies) },
    ];
    heads = [];
    bodies = [];
    size = 0;
    return blocks;
  }

  return {
    add({ head, body }) {
      const json = JSON.stringify(body);
      heads.push(JSON.stringify(head));
      bodies.push(json);
      size += json.length;
      return size >= charactersMost || heads.length >= rowsMost ? end() : [];
    },
    end,
  };
}

/** In base64 nothing can be told from markup: no text of a trace ends a block. */
function packed(values: readonly string[]): string {
  return deflateRawSync(`[${values.join(",")}]`, { level: 6 }).toString("base64");
}
