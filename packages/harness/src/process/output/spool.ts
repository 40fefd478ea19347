/** The whole of an output on disk, for what is too long to be shown. */

import { randomUUID } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../error.ts";

export interface Spool {
  readonly file: string;
  /** Never throws: what cannot be kept is told by `lost`. */
  write(text: string): Promise<void>;
  close(): Promise<void>;
  /** Why the file does not hold everything, in words. */
  readonly lost: string | undefined;
}

/** A new file in `folder`, readable by its owner alone, that takes `limit` bytes. Throws what opening it throws. */
export async function openSpool(folder: string, limit: number): Promise<Spool> {
  const file = join(folder, `output-${randomUUID()}.txt`);
  const handle = await open(file, "wx", 0o600);
  let room = limit;
  let lost: string | undefined;
  return {
    file,
    get lost() {
      return lost;
    },
    close: () => handle.close(),
    async write(text) {
      if (lost !== undefined) return;
      const bytes = Buffer.from(text);
      try {
        await writeAll(handle, bytes.subarray(0, room));
      } catch (error) {
        lost = messageOf(error);
      }
      if (bytes.length > room) lost ??= `more than ${limit / 1_000_000} MB`;
      room -= bytes.length;
    },
  };
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at)).bytesWritten;
}
