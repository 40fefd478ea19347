/** A session written to a file, as Markdown. */

import { asUsageError } from "../usage.ts";
import { openWholeFile } from "../whole-file.ts";
import { traceLines } from "./read.ts";
import { createTranscript } from "./transcript.ts";

/**
 * Writes the transcript of a session to a file, for its owner alone, in place of what was there; false: it was cancelled,
 * and nothing is left behind. Throws UsageError.
 */
export async function writeTranscriptTo(out: string, session: string, signal: AbortSignal): Promise<boolean> {
  const remedy = "Name another file.";
  using file = openWholeFile({ file: out, source: session, what: "transcript", code: "E_EXPORT", remedy });
  if (!(await writeTranscript(session, (text) => file.write(text), signal))) return false;
  file.end();
  return true;
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
