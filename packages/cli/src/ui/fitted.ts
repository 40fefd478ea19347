/** Help for a terminal that is narrower than the help was written for. */

type Piece = { hang: number; width: number; text: string };

/** Lines are written up to here at most; one that comes near it goes on in the next. */
const written = 100;

/**
 * Breaks between words, below the column a line belongs to; what goes on in a line of its own is put together first.
 * `columns`: those of the terminal; undefined, or more than any line takes: the help as it is.
 */
export function fitted(help: string, columns: number | undefined): string {
  const lines = help.split("\n");
  if (columns === undefined || lines.every(({ length }) => length <= columns)) return help;
  return piecesOf(lines)
    .flatMap((piece) => broken(piece, columns))
    .join("\n");
}

function piecesOf(lines: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  for (const line of lines) {
    const indent = line.length - line.trimStart().length;
    const before = pieces.at(-1);
    if (before !== undefined && line !== "" && goesOn(before, indent)) {
      before.text += ` ${line.trimStart()}`;
      before.width = line.length;
    } else {
      pieces.push({ hang: hangOf(line, indent), width: line.length, text: line });
    }
  }
  return pieces;
}

/** In its second column, or, where it has none, as a paragraph. */
function goesOn({ hang, width, text }: Piece, indent: number): boolean {
  if (text === "" || indent !== hang) return false;
  return hang > 0 ? text.search(/\S/) < hang : width >= written;
}

/** Where the last column of a line begins; without columns, where the line does. */
function hangOf(line: string, indent: number): number {
  const gaps = [...line.slice(indent).matchAll(/ {2,}(?=\S)/g)];
  const last = gaps.at(-1);
  return last === undefined ? indent : indent + last.index + last[0].length;
}

function broken({ hang, text }: Piece, columns: number): string[] {
  // Where next to nothing would fit into it, a column is given up.
  const margin = " ".repeat(hang <= columns / 2 ? hang : 4);
  const lines: string[] = [];
  let rest = text;
  while (rest.length > columns) {
    const blank = rest.lastIndexOf(" ", columns);
    const at = blank > margin.length ? blank : rest.indexOf(" ", Math.max(columns, margin.length + 1));
    if (at < 0) break;
    lines.push(rest.slice(0, at).trimEnd());
    rest = margin + rest.slice(at).trimStart();
  }
  return [...lines, rest];
}
