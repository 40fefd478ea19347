/** Long outputs of programs and tools, which are kept whole while only an excerpt of them is shown. */

/** A text that is being kept. */
export interface KeptText {
  readonly id: string;
  /** Never throws. */
  write(text: string): Promise<void>;
  /** Closes it. Why not everything was kept, in words, if so. */
  end(): Promise<string | undefined>;
}

/** The id of the output that a file keeps. */
export function outputId(file: string): string {
  return /([^/\\]+)\.txt$/.exec(file)?.[1] ?? file;
}
