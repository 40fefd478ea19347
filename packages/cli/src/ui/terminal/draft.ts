/** What a person is writing: text, a cursor, and pastes that stand in it as one character each. Nothing here changes. */

export type Draft = {
  readonly text: string;
  /** In UTF-16 units, never inside a grapheme. */
  readonly cursor: number;
  /** What was pasted, by its number. */
  readonly pastes: readonly string[];
};

export const emptyDraft: Draft = Object.freeze({ text: "", cursor: 0, pastes: Object.freeze([]) });

/** A paste longer than this stands in the draft as one character; it is sent whole. */
const pasteLinesMost = 8;
const pasteCharactersMost = 1_000;
const typedMost = 10_000;
/** Private characters that nothing else is let use. */
const firstMark = 0x10_f000;
const lastMark = 0x10_fff0;

/** A draft of this text, the cursor behind it; of one that nobody types, a single paste. */
export function draftOf(text: string): Draft {
  return text.length > typedMost ? paste(emptyDraft, text) : insert(emptyDraft, text);
}

/** The text with every paste in its place. */
export function wholeText({ text, pastes }: Draft): string {
  return text.replaceAll(marks(), (mark) => pastes[numberOf(mark)] ?? "");
}

/** How a paste is shown, for a character that stands for one. */
export function pasteLabel({ pastes }: Draft, character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  const paste = code < firstMark || code > lastMark ? undefined : pastes[code - firstMark];
  if (paste === undefined) return undefined;
  const lines = paste.split("\n").length;
  return lines === 1 ? `[pasted ${paste.length} characters]` : `[pasted ${lines} lines]`;
}

/** Puts a text where the cursor is, the cursor behind it. */
export function insert(draft: Draft, text: string): Draft {
  return put(draft, cleaned(text));
}

/** Puts what was pasted where the cursor is: a long one as one character. */
export function paste(draft: Draft, text: string): Draft {
  const clean = cleaned(text);
  const long = clean.length > pasteCharactersMost || clean.split("\n", pasteLinesMost + 1).length > pasteLinesMost;
  const number = draft.pastes.length;
  if (!long || firstMark + number > lastMark) return put(draft, clean);
  return put({ ...draft, pastes: [...draft.pastes, clean] }, String.fromCodePoint(firstMark + number));
}

/** Takes away what lies between the cursor and another place. */
export function remove(draft: Draft, to: number): Draft {
  const [from, end] = to < draft.cursor ? [to, draft.cursor] : [draft.cursor, to];
  return { ...draft, text: draft.text.slice(0, from) + draft.text.slice(end), cursor: from };
}

/** Puts `text` in the place of all between `from` and the cursor. */
export function replace(draft: Draft, from: number, text: string): Draft {
  return insert(remove(draft, from), text);
}

/** The place one grapheme before the cursor, or behind it. */
export function beside({ text, cursor }: Draft, step: -1 | 1): number {
  // A grapheme never reaches over a line feed, so the line is all there is to look at.
  if (step === 1) {
    if (text[cursor] === "\n") return cursor + 1;
    const [next] = new Intl.Segmenter().segment(text.slice(cursor, endOfLine(text, cursor)));
    return cursor + (next?.segment.length ?? 0);
  }
  if (text[cursor - 1] === "\n") return cursor - 1;
  const start = startOfLine(text, cursor);
  const last = Array.from(new Intl.Segmenter().segment(text.slice(start, cursor))).at(-1);
  return cursor - (last?.segment.length ?? 0);
}

/** The start of the word before the cursor, or the end of the one behind it. */
export function besideWord({ text, cursor }: Draft, step: -1 | 1): number {
  if (step === 1) return cursor + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(text.slice(cursor))?.[0].length ?? 0);
  return cursor - (/[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u.exec(text.slice(0, cursor))?.[0].length ?? 0);
}

export function startOfLine(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

export function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

/** Puts what was cut from this very draft back as it was: it may hold pastes, which `insert` would not let in. */
export function put(draft: Draft, text: string): Draft {
  const before = draft.text.slice(0, draft.cursor) + text;
  return { ...draft, text: before + draft.text.slice(draft.cursor), cursor: before.length };
}

/** Line feeds as one kind; control characters but tabs, and characters that would stand for a paste, are left out. */
function cleaned(text: string): string {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "")
    .replaceAll(marks(), "");
}

function marks(): RegExp {
  return /[\u{10f000}-\u{10fff0}]/gu;
}

function numberOf(mark: string): number {
  return (mark.codePointAt(0) ?? firstMark) - firstMark;
}
