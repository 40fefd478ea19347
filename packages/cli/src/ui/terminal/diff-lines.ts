/** A unified diff taken apart: each line with its number, and what of it differs from the line it took the place of. */

/** `parts`: the line in pieces; those that `differ` are new in it, or gone from it. */
export type DiffLine = {
  kind: "added" | "removed" | "kept" | "gap" | "note";
  /** In the new file; of what is removed, in the old one. */
  number: number | undefined;
  parts: readonly { text: string; differs: boolean }[];
};

/** Words and characters of two lines that are compared with each other; longer ones are wholly different. */
const wordsMost = 200;
const charactersMost = 10_000;

export function diffLines(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let begun = false;
  const flush = (): void => {
    for (const line of paired(removed, added)) lines.push(line);
    removed = [];
    added = [];
  };
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    const text = line.slice(1);
    if (header !== null) {
      flush();
      before = Number(header[1]);
      after = Number(header[2]);
      if (begun) lines.push(whole("gap", undefined, ""));
      begun = true;
    } else if (!begun) {
      if (!/^(---|\+\+\+) /.test(line) && line !== "") lines.push(whole("note", undefined, line));
    } else if (line.startsWith("-")) {
      if (added.length > 0) flush();
      removed.push(whole("removed", before++, text));
    } else if (line.startsWith("+")) added.push(whole("added", after++, text));
    else {
      flush();
      if (line.startsWith("\\")) lines.push(whole("note", undefined, text.trim()));
      else {
        lines.push(whole("kept", after++, text));
        before += 1;
      }
    }
  }
  flush();
  return lines;
}

/** Lines that stand for each other are compared, where as many went as came. */
function paired(removed: readonly DiffLine[], added: readonly DiffLine[]): DiffLine[] {
  if (removed.length !== added.length) return [...removed, ...added];
  const pairs = removed.map((line, index) => compared(line, added[index] ?? line));
  return [...pairs.map(([old]) => old), ...pairs.map(([, fresh]) => fresh)];
}

function compared(old: DiffLine, fresh: DiffLine): [DiffLine, DiffLine] {
  if (lengthOf(old) > charactersMost || lengthOf(fresh) > charactersMost) return [old, fresh];
  const before = wordsOf(old);
  const after = wordsOf(fresh);
  if (before.length > wordsMost || after.length > wordsMost) return [old, fresh];
  const [kept, stays] = common(before, after);
  const shared = kept.filter((same, index) => same && before[index]?.trim() !== "").length;
  // Lines with little in common are not the same line changed: marks all over them would only be noise.
  if (shared * 3 < Math.max(before.length, after.length)) return [old, fresh];
  return [
    { ...old, parts: partsOf(before, kept) },
    { ...fresh, parts: partsOf(after, stays) },
  ];
}

function wordsOf({ parts }: DiffLine): string[] {
  return parts.flatMap(({ text }) => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []);
}

/** Which words belong to the longest common sequence. */
function common(before: readonly string[], after: readonly string[]): [boolean[], boolean[]] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const same = before[row] === after[column];
      const line = lengths[row];
      if (line !== undefined) {
        line[column] = same ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
      }
    }
  }
  const kept = before.map(() => false);
  const stays = after.map(() => false);
  for (let row = 0, column = 0; row < before.length && column < after.length;) {
    if (before[row] === after[column]) {
      kept[row++] = true;
      stays[column++] = true;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return [kept, stays];
}

function partsOf(words: readonly string[], same: readonly boolean[]): DiffLine["parts"] {
  const parts: { text: string; differs: boolean }[] = [];
  for (const [index, text] of words.entries()) {
    const differs = same[index] !== true;
    const last = parts.at(-1);
    if (last?.differs === differs) last.text += text;
    else parts.push({ text, differs });
  }
  return parts;
}

export function lengthOf({ parts }: DiffLine): number {
  return parts.reduce((length, { text }) => length + text.length, 0);
}

function whole(kind: DiffLine["kind"], number: number | undefined, text: string): DiffLine {
  return { kind, number, parts: [{ text, differs: false }] };
}
