/** Lines put between the lines of a file. */

import { Failure } from "../error.ts";
import { showPath } from "../workspace/text/show-path.ts";
import type { Source } from "./source.ts";
import { splice } from "./splice.ts";

/**
 * The bytes of the file with `text` behind line `after`, 0 for the beginning. It becomes lines of its own: a line break
 * that it, or the line before it, lacks for that is added; a last line without one stays so. `\r\n` in it means a line
 * break, as `\n` does. Throws E_RANGE, E_NO_CHANGE, E_ENCODING, E_TOO_LARGE.
 */
export function insertLines(source: Source, after: number, text: string): Buffer {
  if (text === "") {
    throw new Failure("E_NO_CHANGE", "The text to insert is empty: nothing was changed.", {
      remedy: "Give the lines to insert.",
    });
  }
  const at = endOfLine(source, after);
  const isBehindOpenLine = at > 0 && source.text[at - 1] !== "\n";
  const needsEnd = !text.endsWith("\n") && !isBehindOpenLine && source.text !== "";
  const lines = `${isBehindOpenLine ? "\n" : ""}${text.replaceAll("\r\n", "\n")}${needsEnd ? "\n" : ""}`;
  return splice(source, [{ from: at, to: at, text: lines, named: "" }]);
}

/** Where the line behind it begins. Throws E_RANGE. */
function endOfLine({ path, text }: Source, line: number): number {
  let at = 0;
  for (let passed = 0; passed < line; passed += 1) {
    if (at === text.length) throw outOfRange(path, passed);
    const end = text.indexOf("\n", at);
    at = end === -1 ? text.length : end + 1;
  }
  return at;
}

function outOfRange(path: string, lines: number): Failure {
  return new Failure("E_RANGE", `${showPath(path)} has only ${lines} lines.`, {
    remedy: `Insert behind a line from 0 to ${lines}.`,
  });
}
