/** The outputs in a folder of spools, read back. */

import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { Failure } from "../../error.ts";
import { outputId, type OutputPart, type OutputRange, type Outputs } from "../outputs.ts";
import { wellFormedSlice } from "../../slice.ts";
import { openSpool } from "./spool.ts";

/** No id leads out of the folder. */
const idShape = /^output-[0-9a-f-]{36}$/;
const chunkBytes = 65_536;
/** Bytes of a text that are kept. */
const keptBytes = 100_000_000;

/** What `openSpool` has kept in this folder. */
export function keptOutputs(folder: string): Outputs {
  return {
    async keep(text) {
      const spool = await openSpool(folder, keptBytes).catch(() => undefined);
      await spool?.write(text);
      await spool?.close();
      return spool === undefined ? undefined : outputId(spool.file);
    },
    async read(id, range, signal) {
      if (!idShape.test(id)) throw noOutput(id);
      await using handle = await opened(join(folder, `${id}.txt`), id);
      return await partOf(handle, range, signal);
    },
  };
}

async function opened(file: string, id: string): Promise<FileHandle> {
  try {
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    throw noOutput(id, error);
  }
}

async function partOf(handle: FileHandle, range: OutputRange, signal: AbortSignal): Promise<OutputPart> {
  const lines: { line: number; text: string; left: number }[] = [];
  let size = 0;
  for await (const { line, text, holds } of linesOf(handle, range, signal)) {
    if (line < range.from || !holds) continue;
    const shown = wellFormedSlice(text.start, 0, range.lineLimit);
    size += shown.length + 1;
    const full = lines.length === range.limit || (lines.length > 0 && size > range.most);
    if (full) return { lines, more: true };
    lines.push({ line, text: shown, left: text.length - shown.length });
  }
  return { lines, more: false };
}

/** `start` is as much of a line as can be shown, `length` that of all of it. */
type Line = { line: number; text: { start: string; length: number }; holds: boolean };

async function* linesOf(handle: FileHandle, range: OutputRange, signal: AbortSignal): AsyncGenerator<Line> {
  const { lineLimit, containing = "" } = range;
  const decoder = new StringDecoder("utf8");
  const buffer = Buffer.alloc(chunkBytes);
  let line = 1;
  let start = "";
  let length = 0;
  let tail = "";
  let holds = containing === "";

  function add(piece: string): void {
    if (length < lineLimit + 1) start += piece.slice(0, lineLimit + 1 - length);
    length += piece.length;
    if (holds) return;
    const searched = tail + piece; // it may begin in one piece and end in the next
    holds = searched.includes(containing);
    tail = searched.slice(-containing.length);
  }
  function end(): Line {
    const ended = { line, text: { start, length }, holds };
    line += 1;
    start = "";
    length = 0;
    tail = "";
    holds = containing === "";
    return ended;
  }

  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes);
    const text = bytesRead === 0 ? decoder.end() : decoder.write(buffer.subarray(0, bytesRead));
    let from = 0;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
      add(text.slice(from, at));
      yield end();
      from = at + 1;
    }
    add(text.slice(from));
    if (bytesRead > 0) continue;
    if (length > 0) yield end();
    return;
  }
}

function noOutput(id: string, cause?: unknown): Failure {
  return new Failure("E_NO_OUTPUT", `There is no kept output ${JSON.stringify(id)}.`, {
    remedy: "Use the id that the result of the command names, or run the command again.",
    cause,
  });
}
