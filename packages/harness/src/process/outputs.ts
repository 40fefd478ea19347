/** The port to long outputs of programs, which are kept whole while only an excerpt of them is shown. */

export type OutputPart = {
  /** Lines in order, counted from 1, each with the characters that are left out at its end. */
  lines: readonly { line: number; text: string; left: number }[];
  /** There are lines behind the last one that would be shown too. */
  more: boolean;
};

export type OutputRange = {
  /** The first line. */
  from: number;
  /** Lines at most. */
  limit: number;
  /** Characters at most of a line, and of all lines together but for the first. */
  lineLimit: number;
  most: number;
  /** Only lines that hold this text. */
  containing?: string | undefined;
};

export interface Outputs {
  /** Keeps a text as if a program had printed it. The id, or undefined where it cannot be kept. */
  keep(text: string): Promise<string | undefined>;
  /** Reads in bounded memory, however long output and lines are. Throws E_NO_OUTPUT, and the signal's reason. */
  read(id: string, range: OutputRange, signal: AbortSignal): Promise<OutputPart>;
}

/** The id of the output that a file keeps. */
export function outputId(file: string): string {
  return /([^/\\]+)\.txt$/.exec(file)?.[1] ?? file;
}
