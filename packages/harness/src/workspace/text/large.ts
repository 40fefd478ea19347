/** Text files that are too large to hold: what they are, and certain of their lines. */

import { hash } from "node:crypto";
import type { Fence, Hash, Pinned } from "../fence.ts";
import { binary, binaryProbe, decode, decodeUnmarked, type Encoding } from "./text.ts";
import { endOfWhole } from "./utf8.ts";

const newline = 10;

/**
 * How a large file is encoded, and a hash to tell its versions by: that of its size, its first and its last 8 KB.
 * Throws E_BINARY.
 */
export async function examineLarge(fence: Fence, file: Pinned): Promise<{ hash: Hash; encoding: Encoding }> {
  const head = await rangeOf(fence, file, 0, binaryProbe);
  const tail = await rangeOf(fence, file, file.size - binaryProbe, file.size);
  const encoding = decode(file.size > head.length ? wholeCharacters(head) : head)?.encoding;
  if (encoding === undefined) throw binary(file.path);
  return { encoding, hash: hash("sha256", Buffer.concat([Buffer.from(`${file.size}:`), head, tail])) };
}

/** Without a character that only begins at the end. */
function wholeCharacters(head: Buffer): Buffer {
  const [first = 0, second = 0] = head;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (!isUtf16) return head.subarray(0, endOfWhole(head));
  const even = head.length - (head.length % 2);
  const lead = first === 0xff ? head[even - 1] : head[even - 2];
  return head.subarray(0, ((lead ?? 0) & 0xfc) === 0xd8 ? even - 2 : even);
}

/** Bytes from `start`, or the beginning of the file, up to `end`, or its end. */
export async function rangeOf(fence: Fence, file: Pinned, start: number, end: number): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(fence.bytes(file, { start: Math.max(0, start), end })));
}

/** Which lines (from 1, both included), and how many bytes of each. */
export type LineRange = { from: number; to: number; maxBytes: number };

/**
 * The lines of a range without their ends, each decoded by itself as a search decodes them, and how many the file has.
 * Holds no more than these, whatever the size of the file. Throws E_BINARY, and the signal's reason when aborted.
 */
export async function largeLines(
  fence: Fence,
  file: Pinned,
  { from, to, maxBytes }: LineRange,
  signal: AbortSignal,
): Promise<{ lines: string[]; total: number }> {
  const { encoding } = await examineLarge(fence, file);
  const lines: string[] = [];
  let line = Buffer.alloc(0);
  let total = 0;
  let begun = false;
  const end = (): void => {
    total += 1;
    if (total >= from && total <= to) lines.push(textOf(line, maxBytes));
    line = Buffer.alloc(0);
    begun = false;
  };
  for await (const chunk of unmarkedBytes(fence, file, encoding)) {
    signal.throwIfAborted();
    for (let at = 0; at < chunk.length;) {
      const found = chunk.indexOf(newline, at);
      const stop = found === -1 ? chunk.length : found;
      begun = true;
      const wanted = total + 1 >= from && total + 1 <= to && line.length <= maxBytes;
      if (wanted) line = Buffer.concat([line, chunk.subarray(at, Math.min(stop, at + maxBytes + 1))]);
      if (found !== -1) end();
      at = stop + 1;
    }
  }
  if (begun) end();
  return { lines, total };
}

/** One byte more than is wanted tells that a line was cut. */
function textOf(line: Buffer, maxBytes: number): string {
  const whole = line.length > maxBytes ? line.subarray(0, endOfWhole(line.subarray(0, maxBytes))) : line;
  return decodeUnmarked(whole).text.replace(/\r$/, "");
}

/** The bytes of a file without its BOM; those of UTF-16 as UTF-8, so that a line break is one byte everywhere. */
async function* unmarkedBytes(fence: Fence, file: Pinned, encoding: Encoding): AsyncGenerator<Uint8Array> {
  if (!encoding.startsWith("utf-16")) {
    yield* fence.bytes(file, { start: encoding === "utf-8-bom" ? 3 : 0, end: file.size });
    return;
  }
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const chunk of fence.bytes(file)) {
    let text;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch {
      throw binary(file.path);
    }
    yield Buffer.from(text);
  }
}
