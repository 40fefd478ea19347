/** What becomes of the output of a program: made readable, an excerpt of it kept, the whole on disk if it is long. */

import { messageOf } from "../../error.ts";
import type { Captured } from "../runner.ts";
import { createDecoder } from "./characters.ts";
import { createExcerpt, excerptLimit } from "./excerpt.ts";
import { createScreen } from "./screen.ts";
import { openSpool, type Spool } from "./spool.ts";

export type CaptureOptions = {
  /** A folder for the whole of long outputs; undefined: of these an excerpt is all that is kept. */
  folder: string | undefined;
  /** Bytes of a whole output that are kept. */
  spoolLimit?: number | undefined;
  /** Gets the readable text as it comes, in whole lines unless these are very long. */
  onText: (text: string) => void;
  /** What of the readable text is kept and told at all. */
  filter?: TextFilter | undefined;
};

/** A text that comes in pieces goes through it; it may hold back what it cannot judge yet. */
export interface TextFilter {
  push(piece: string): string;
  /** What was held back. */
  end(): string;
}

export interface Capture {
  /** Who awaits it writes no faster than the disk does. */
  write(bytes: Uint8Array): Promise<void>;
  /** `notice`: why the file does not hold everything. */
  finish(): Promise<{ output: Captured; notice: string | undefined }>;
}

const spoolBytes = 100_000_000;

export function createCapture({ folder, spoolLimit = spoolBytes, onText, filter }: CaptureOptions): Capture {
  const decoder = createDecoder();
  const excerpt = createExcerpt();
  let bytes = 0;
  let arrived: string[] = [];
  let spool: Spool | undefined;
  let unopened: string | undefined;
  const screen = createScreen((text) => arrived.push(filter?.push(text) ?? text));

  async function keep(): Promise<void> {
    const text = arrived.join("");
    arrived = [];
    if (text === "") return;
    if (
      folder !== undefined &&
      spool === undefined &&
      unopened === undefined &&
      excerpt.length + text.length > excerptLimit
    ) {
      try {
        spool = await openSpool(folder, spoolLimit);
        await spool.write(excerpt.text());
      } catch (error) {
        unopened = messageOf(error);
      }
    }
    excerpt.add(text);
    onText(text);
    await spool?.write(text);
  }

  return {
    write(chunk) {
      bytes += chunk.length;
      screen.write(decoder.write(chunk));
      return keep();
    },
    async finish() {
      screen.write(decoder.end());
      screen.end();
      if (filter !== undefined) arrived.push(filter.end());
      await keep();
      await spool?.close();
      return {
        output: { text: excerpt.text(), bytes, file: spool?.file },
        notice: noticeOf(spool, unopened),
      };
    },
  };
}

function noticeOf(spool: Spool | undefined, unopened: string | undefined): string | undefined {
  if (unopened !== undefined) return `The whole output could not be kept: ${unopened}.`;
  if (spool?.lost !== undefined) return `${spool.file} holds only the beginning of the output: ${spool.lost}.`;
  return undefined;
}
