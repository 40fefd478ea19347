/** A held file in which no secret is seen: a small one is hidden as a whole, of a large one each piece that is shown. */

import type { HeldFile } from "../workspace/held.ts";
import { maxFileBytes } from "../workspace/place/content.ts";
import { decode } from "../workspace/text/text.ts";
import { mayHoldKey } from "./private-key.ts";
import type { Redactor } from "./redactor.ts";
import { rewritten } from "./rewritten.ts";

/** Lines stay where they are. What is searched for is found in the real text, and shown as hidden. */
export async function hidingFile(file: HeldFile, redactor: Redactor): Promise<HeldFile> {
  const instead = (text: string, path: string): string => redactor.hide(text, path).text;
  const hiding: HeldFile = {
    ...file,
    search: (query, signal) => file.search({ ...query, shown: { instead, needsWhole: mayHoldKey } }, signal),
  };
  if (file.size > maxFileBytes) return { ...hiding, hide: (text) => instead(text, file.path) };
  const bytes = await wholeOf(file);
  const decoded = decode(bytes);
  if (decoded === undefined) return hiding;
  const text = instead(decoded.text, file.path);
  return text === decoded.text ? hiding : { ...hiding, ...readFrom(rewritten(bytes, { ...decoded, text })) };
}

async function wholeOf(file: HeldFile): Promise<Buffer> {
  const bytes = Buffer.alloc(file.size);
  let at = 0;
  for (let count = -1; at < bytes.length && count !== 0; at += count) count = await file.read(bytes.subarray(at), at);
  return bytes.subarray(0, at);
}

function readFrom(bytes: Uint8Array): Pick<HeldFile, "size" | "read"> {
  return {
    size: bytes.length,
    async read(into, position) {
      const found = bytes.subarray(position, position + into.length);
      into.set(found);
      return found.length;
    },
  };
}
