/**
 * What ripgrep prints with --null, --column, --byte-offset and --max-columns: `path NUL line:column:offset:rest LF`.
 */

import { isUtf8 } from "node:buffer";
import { sep } from "node:path";
import type { Proposal } from "../search.ts";

const nul = 0;
const newline = 10;
/** Bytes that hold the three numbers, whatever --max-columns leaves of the line behind them. */
const maxNumbersBytes = 64;
const warning = Buffer.from(": WARNING: stopped searching binary file after match");

/**
 * A reader of output that comes in chunks: each call gives the proposals that are complete with this chunk; `undefined`
 * stands for a match in a file whose name is not UTF-8. A path may hold anything but NUL, so a record is read from its
 * NUL outwards. Once ripgrep meets a NUL in a file, it puts a warning behind that file's records: a line without a NUL
 * of its own, which so stands in front of the next path.
 */
export function outputReader(): (chunk: Uint8Array) => (Proposal | undefined)[] {
  let pending: Buffer = Buffer.alloc(0);
  let file: { name: Buffer; path: string | undefined } = { name: Buffer.alloc(0), path: undefined };
  return (chunk) => {
    const found: (Proposal | undefined)[] = [];
    pending = Buffer.concat([pending, chunk]);
    let at = 0;
    for (;;) {
      const middle = pending.indexOf(nul, at);
      const end = middle === -1 ? -1 : pending.indexOf(newline, middle);
      if (end === -1) break;
      const name = pending.subarray(at, middle);
      if (!name.equals(file.name)) {
        const bare = withoutWarning(name, file.name);
        file = { name: Buffer.from(bare), path: pathOf(bare) };
      }
      const numbers = pending.toString("latin1", middle + 1, Math.min(end, middle + maxNumbersBytes)).split(":", 3);
      const [line = 0, column = 1, offset = 0] = numbers.map(Number);
      found.push(file.path === undefined ? undefined : { path: file.path, line, column: column - 1, offset });
      at = end + 1;
    }
    pending = pending.subarray(at);
    return found;
  };
}

function withoutWarning(name: Buffer, lastName: Buffer): Buffer {
  const size = lastName.length + warning.length;
  const warned = name.subarray(0, size).equals(Buffer.concat([lastName, warning]));
  return warned ? name.subarray(name.indexOf(newline, size) + 1) : name;
}

function pathOf(name: Buffer): string | undefined {
  if (!isUtf8(name)) return undefined;
  const path = name.toString().replaceAll(sep, "/");
  return path.startsWith("./") ? path.slice(2) : path;
}
