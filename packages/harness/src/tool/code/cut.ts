/** Cutting long lines. */

import { wellFormedSlice } from "../../slice.ts";

/** A line of at most so many characters, and how many more it has. */
export function shortened(line: string, most: number): string {
  if (line.length <= most) return line;
  const start = wellFormedSlice(line, 0, most);
  return `${start}… (${line.length - start.length} characters more)`;
}
