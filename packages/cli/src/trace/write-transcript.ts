/** A session written to a file, as Markdown. */

import { closeSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { messageOf } from "@croft/harness";
import { asUsageError, UsageError } from "../usage.ts";
import { traceLines } from "./read.ts";
import { createTranscript } from "./transcript.ts";

/**
 * Writes the transcript of a session to a file, for its owner alone, in place of what was there; false: it was cancelled,
 * and nothing is left behind. Throws UsageError.
 */
export async function writeTranscriptTo(out: string, session: string, signal: AbortSignal): Promise<boolean> {
  const unfinished = `${out}.${process.pid}.part`;
  try {
    const descriptor = openSync(unfinished, "wx", 0o600);
    try {
      if (!(await writeTranscript(session, (text) => writeFileSync(descriptor, text), signal))) return false;
    } finally {
      closeSync(descriptor);
    }
    renameSync(unfinished, out);
    return true;
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const reason = messageOf(cause).replaceAll(unfinished, out);
    throw new UsageError("E_EXPORT", `The transcript cannot be written: ${reason}.`, "Give --out another file.", cause);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** False: it was cancelled. Throws UsageError. */
export async function writeTranscript(
  file: string,
  write: (text: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const transcript = createTranscript();
  try {
    for await (const line of traceLines(file)) {
      if (signal.aborted) return false;
      write(transcript(line));
    }
    return true;
  } catch (cause) {
    throw asUsageError(cause);
  }
}
