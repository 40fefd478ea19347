/** Files without a name, for a program to read one and write another while nobody else can. */

import { randomUUID } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Handover extends Disposable {
  /** The one to read, the one to write. */
  readonly descriptors: readonly [number, number];
  /** What was written; undefined where it is more than `most` bytes. */
  read(): string | undefined;
}

/** `folder`: of ours, where nobody else may enter. `most`: bytes that are read back. Throws the system's error. */
export function openHandover(folder: string, text: string, most: number): Handover {
  const given = unnamed(folder, text, "r");
  let taken: number;
  try {
    taken = unnamed(folder, "", "r+");
  } catch (thrown) {
    closeSync(given);
    throw thrown;
  }
  return {
    descriptors: [given, taken],
    read() {
      const { size } = fstatSync(taken);
      if (size > most) return undefined;
      const bytes = Buffer.alloc(size);
      return bytes.toString("utf8", 0, readSync(taken, bytes, 0, size, 0));
    },
    [Symbol.dispose]() {
      closeSync(given);
      closeSync(taken);
    },
  };
}

function unnamed(folder: string, text: string, flags: "r" | "r+"): number {
  const name = join(folder, `handover-${randomUUID()}`);
  writeFileSync(name, text, { mode: 0o600, flag: "wx" });
  try {
    return openSync(name, flags);
  } finally {
    unlinkSync(name);
  }
}
