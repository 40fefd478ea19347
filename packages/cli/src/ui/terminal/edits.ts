/** The keys that change a draft or move in it, as most shells and editors have them. */

import { beside, besideWord, emptyDraft, endOfLine, insert, put, remove, startOfLine, type Draft } from "./draft.ts";
import { besideRow } from "./draft-rows.ts";

/** `killed`: what was cut last, to be put back. */
export type EditBuffer = { readonly draft: Draft; readonly killed: string; readonly undo: readonly Draft[] };
export const emptyBuffer: EditBuffer = Object.freeze({ draft: emptyDraft, killed: "", undo: Object.freeze([]) });
type Edit = (draft: Draft, width: number) => Draft;

/** Steps that can be taken back. */
const undoMost = 200;

const moves: Readonly<Record<string, (draft: Draft, width: number) => number>> = {
  left: (draft) => beside(draft, -1),
  "ctrl+b": (draft) => beside(draft, -1),
  right: (draft) => beside(draft, 1),
  "ctrl+f": (draft) => beside(draft, 1),
  "ctrl+left": (draft) => besideWord(draft, -1),
  "alt+left": (draft) => besideWord(draft, -1),
  "alt+b": (draft) => besideWord(draft, -1),
  "ctrl+right": (draft) => besideWord(draft, 1),
  "alt+right": (draft) => besideWord(draft, 1),
  "alt+f": (draft) => besideWord(draft, 1),
  home: ({ text, cursor }) => startOfLine(text, cursor),
  "ctrl+a": ({ text, cursor }) => startOfLine(text, cursor),
  end: ({ text, cursor }) => endOfLine(text, cursor),
  "ctrl+e": ({ text, cursor }) => endOfLine(text, cursor),
  "ctrl+home": () => 0,
  "ctrl+end": ({ text }) => text.length,
  up: (draft, width) => besideRow(draft, -1, width) ?? draft.cursor,
  down: (draft, width) => besideRow(draft, 1, width) ?? draft.cursor,
};

const newLine: Edit = (draft) => insert(draft, "\n");
const deletions: Readonly<Record<string, (draft: Draft) => number>> = {
  backspace: (draft) => beside(draft, -1),
  "ctrl+h": (draft) => beside(draft, -1),
  "shift+backspace": (draft) => beside(draft, -1),
  delete: (draft) => beside(draft, 1),
  "ctrl+d": (draft) => beside(draft, 1),
};

/** Cut, to be put back with Ctrl+Y. */
const kills: Readonly<Record<string, (draft: Draft) => number>> = {
  "ctrl+w": (draft) => besideWord(draft, -1),
  "alt+backspace": (draft) => besideWord(draft, -1),
  "ctrl+backspace": (draft) => besideWord(draft, -1),
  "alt+d": (draft) => besideWord(draft, 1),
  "ctrl+u": ({ text, cursor }) => startOfLine(text, cursor),
  "ctrl+k": ({ text, cursor }) => (text[cursor] === "\n" ? cursor + 1 : endOfLine(text, cursor)),
};

const edits: Readonly<Record<string, Edit>> = {
  "shift+enter": newLine,
  "ctrl+j": newLine,
  ...Object.fromEntries(
    Object.entries(deletions).map(([key, to]) => [key, (draft: Draft) => remove(draft, to(draft))]),
  ),
};

/** What a key makes of the buffer; undefined: it is no key for editing. `width`: columns of the draft's rows. */
export function edited(buffer: EditBuffer, key: string, width: number): EditBuffer | undefined {
  const { draft, killed, undo } = buffer;
  const move = moves[key];
  if (move !== undefined) return { ...buffer, draft: { ...draft, cursor: move(draft, width) } };
  const kill = kills[key];
  if (kill !== undefined) {
    const to = kill(draft);
    const cut = draft.text.slice(Math.min(to, draft.cursor), Math.max(to, draft.cursor));
    return { ...withDraft(buffer, remove(draft, to)), killed: cut === "" ? killed : cut };
  }
  if (key === "ctrl+y") return withDraft(buffer, put(draft, killed));
  if (key === "ctrl+-") {
    const last = undo.at(-1);
    return last === undefined ? buffer : { ...buffer, draft: last, undo: undo.slice(0, -1) };
  }
  const edit = edits[key];
  return edit === undefined ? undefined : withDraft(buffer, edit(draft, width));
}

/** The buffer with another draft, which can be taken back; letters of one word are taken back together. */
export function withDraft(buffer: EditBuffer, draft: Draft): EditBuffer {
  if (draft.text === buffer.draft.text) return { ...buffer, draft };
  const last = buffer.undo.at(-1);
  const typed = draft.text.slice(buffer.draft.cursor, draft.cursor);
  const goesOn =
    last !== undefined && /^\p{L}$/u.test(typed) && /\p{L}$/u.test(buffer.draft.text.slice(0, buffer.draft.cursor));
  return { ...buffer, draft, undo: goesOn ? buffer.undo : [...buffer.undo, buffer.draft].slice(-undoMost) };
}
