/**
 * Where a person writes: what a key makes of it. A state in, a state out, and what the session is to be told; nothing
 * here draws or waits.
 */

import type { Completion } from "../../chat/screen.ts";
import { draftOf, insert, paste, remove, replace, wholeText } from "./draft.ts";
import { besideRow } from "./draft-rows.ts";
import { edited, emptyBuffer, withDraft, type EditBuffer } from "./edits.ts";
import { found, recalled, type Recall } from "./recall.ts";

export type Search = { words: string; at: number | undefined; before: string };
export type Popup = { items: readonly Completion[]; selected: number };
export type Prompt = {
  readonly buffer: EditBuffer;
  readonly recall: Recall;
  readonly search: Search | undefined;
  readonly popup: Popup | undefined;
};

/** What the session is told. `later`: as a turn of its own. */
export type Effect = { type: "enter"; text: string; when: "now" | "later" } | { type: "complete" };
export type Stepped = { prompt: Prompt; effect?: Effect | undefined };
/** `history`: the newest last. `width`: columns of a row. */
export type PromptContext = { history: readonly string[]; width: number };

export const emptyPrompt: Prompt = Object.freeze({
  buffer: emptyBuffer,
  recall: { back: 0, draft: "" },
  search: undefined,
  popup: undefined,
});

export function typed(prompt: Prompt, text: string, context: PromptContext): Stepped {
  if (prompt.search !== undefined) return searchFor(prompt, prompt.search.words + text, context);
  return changed(prompt, withDraft(prompt.buffer, insert(prompt.buffer.draft, text)));
}

export function pasted(prompt: Prompt, text: string): Stepped {
  const closed = { ...prompt, search: undefined, popup: undefined };
  return { prompt: { ...closed, buffer: withDraft(prompt.buffer, paste(prompt.buffer.draft, text)) } };
}

/** The prompt with another text in the place of the draft. */
export function withText(prompt: Prompt, text: string): Prompt {
  return { ...emptyPrompt, buffer: withDraft(prompt.buffer, draftOf(text)) };
}

/** The prompt with a text in front of the draft, on lines of its own. The cursor stays where it is in the draft. */
export function withTextBefore(prompt: Prompt, text: string): Prompt {
  const { draft } = prompt.buffer;
  if (draft.text === "") return withText(prompt, text);
  const before = insert({ ...draft, cursor: 0 }, `${text}\n`);
  const cursor = before.cursor + draft.cursor;
  return { ...prompt, popup: undefined, buffer: withDraft(prompt.buffer, { ...before, cursor }) };
}

/** Undefined: the key means nothing here. */
export function pressed(prompt: Prompt, key: string, context: PromptContext): Stepped | undefined {
  if (prompt.search !== undefined) return inSearch(prompt, prompt.search, key, context);
  if (prompt.popup !== undefined) {
    const stepped = inPopup(prompt, prompt.popup, key);
    if (stepped !== undefined) return stepped;
  }
  const { draft } = prompt.buffer;
  if (key === "enter" && draft.text[draft.cursor - 1] === "\\") {
    return changed(prompt, withDraft(prompt.buffer, insert(remove(draft, draft.cursor - 1), "\n")));
  }
  if (key === "enter" || key === "alt+enter") return sent(prompt, key === "enter" ? "now" : "later");
  if (key === "tab") return { prompt, effect: { type: "complete" } };
  if (key === "ctrl+r")
    return { prompt: { ...prompt, search: { words: "", at: undefined, before: wholeText(draft) } } };
  if (key === "ctrl+p" || (key === "up" && besideRow(draft, -1, context.width) === undefined)) {
    return { prompt: stepBack(prompt, -1, context) };
  }
  if (key === "ctrl+n" || (key === "down" && besideRow(draft, 1, context.width) === undefined)) {
    return { prompt: stepBack(prompt, 1, context) };
  }
  const buffer = edited(prompt.buffer, key, context.width);
  return buffer === undefined ? undefined : changed(prompt, buffer);
}

/** Completions that came for what is being written. */
export function offered(prompt: Prompt, items: readonly Completion[]): Prompt {
  return { ...prompt, popup: items.length === 0 ? undefined : { items, selected: 0 } };
}

/** A draft that begins a command or holds the start of a name asks for completions by itself. */
function changed(prompt: Prompt, buffer: EditBuffer): Stepped {
  const next = { ...prompt, buffer, popup: undefined };
  if (buffer.draft.text === prompt.buffer.draft.text) return { prompt: next };
  const before = buffer.draft.text.slice(0, buffer.draft.cursor);
  const asks = /^\/[^\s]*$|(?:^|\s)@[^\s]*$/.test(before);
  return { prompt: { ...next, popup: asks ? prompt.popup : undefined }, ...(asks && { effect: { type: "complete" } }) };
}

function sent(prompt: Prompt, when: "now" | "later"): Stepped {
  const text = wholeText(prompt.buffer.draft);
  if (text.trim() === "") return { prompt };
  return {
    prompt: { ...emptyPrompt, buffer: { ...emptyBuffer, killed: prompt.buffer.killed } },
    effect: { type: "enter", text, when },
  };
}

function stepBack(prompt: Prompt, step: -1 | 1, { history }: PromptContext): Prompt {
  const { recall, buffer } = prompt;
  const from = recall.back === 0 ? { back: 0, draft: wholeText(buffer.draft) } : recall;
  const entry = recalled(history, from, step);
  if (entry === undefined) return prompt;
  return { ...prompt, buffer: withDraft(buffer, draftOf(entry.text)), recall: entry.recall, popup: undefined };
}

function inPopup(prompt: Prompt, { items, selected }: Popup, key: string): Stepped | undefined {
  if (key === "up" || key === "down") {
    const next = (selected + (key === "up" ? -1 : 1) + items.length) % items.length;
    return { prompt: { ...prompt, popup: { items, selected: next } } };
  }
  if (key === "escape") return { prompt: { ...prompt, popup: undefined } };
  const item = items[selected];
  const { draft } = prompt.buffer;
  if (item === undefined || (key !== "tab" && key !== "enter")) return undefined;
  // Enter on a name that is there in full means the message, not the name.
  if (key === "enter" && draft.text.slice(item.from, draft.cursor) === item.insert.trimEnd()) {
    return pressed({ ...prompt, popup: undefined }, key, { history: [], width: 80 });
  }
  return {
    prompt: { ...prompt, buffer: withDraft(prompt.buffer, replace(draft, item.from, item.insert)), popup: undefined },
  };
}

function inSearch(prompt: Prompt, search: Search, key: string, context: PromptContext): Stepped {
  const closed = { ...prompt, search: undefined };
  if (key === "ctrl+r") {
    const at = found(context.history, search.words, search.at ?? context.history.length);
    return { prompt: at === undefined ? prompt : { ...prompt, search: { ...search, at } } };
  }
  if (key === "backspace") return searchFor(prompt, Array.from(search.words).slice(0, -1).join(""), context);
  if (key === "escape" || key === "ctrl+c" || key === "ctrl+g") return { prompt: closed };
  const text = search.at === undefined ? search.before : (context.history[search.at] ?? search.before);
  const taken = { ...closed, buffer: withDraft(prompt.buffer, draftOf(text)) };
  return key === "enter" ? { prompt: taken } : (pressed(taken, key, context) ?? { prompt: taken });
}

function searchFor(prompt: Prompt, words: string, { history }: PromptContext): Stepped {
  const before = prompt.search?.before ?? "";
  const at = words === "" ? undefined : found(history, words, history.length);
  return { prompt: { ...prompt, search: { words, at, before } } };
}
