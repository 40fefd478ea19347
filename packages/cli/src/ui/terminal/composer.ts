/** The message that a person writes: the prompt as it stands, and completions asked for as it changes. */

import type { Person } from "../../chat/screen.ts";
import { wholeText } from "./draft.ts";
import {
  emptyPrompt,
  offered,
  pasted,
  pressed,
  typed,
  withText,
  withTextBefore,
  type Prompt,
  type Stepped,
} from "./prompt.ts";
import type { Typed } from "./typing.ts";

export type ComposerOptions = {
  /** Undefined as long as nobody reads. */
  person: () => Person | undefined;
  /** Columns of a row. */
  width: () => number;
  /** A completion came, by itself. */
  changed: () => void;
};

export type Composer = {
  prompt(): Prompt;
  /** What was written, pastes in their place. */
  text(): string;
  /** Nothing was written, and nothing is looked for. */
  isIdle(): boolean;
  write(token: Exclude<Typed, { type: "key" }>): void;
  /** False: the key means nothing here. */
  press(key: string): boolean;
  /** Puts another text in the place of what was written. */
  replace(text: string): void;
  /** False: no search was going on. */
  endSearch(): boolean;
  /** Puts a text before what is written, on lines of its own. */
  putBefore(text: string): void;
  close(): void;
};

export function openComposer({ person, width, changed }: ComposerOptions): Composer {
  let prompt: Prompt = emptyPrompt;
  let completing: AbortController | undefined;

  function context(): { history: readonly string[]; width: number } {
    return { history: person()?.history() ?? [], width: width() };
  }

  function step({ prompt: next, effect }: Stepped): void {
    prompt = next;
    completing?.abort();
    if (effect?.type === "enter") person()?.enter(effect.text, effect.when);
    if (effect?.type === "complete") void complete();
  }

  /** An answer to what is no longer there is dropped. */
  async function complete(): Promise<void> {
    const { text, cursor } = prompt.buffer.draft;
    const current = new AbortController();
    completing = current;
    const items = await person()
      ?.complete(text, cursor, current.signal)
      .catch(() => []);
    const { draft } = prompt.buffer;
    if (items === undefined || current.signal.aborted || draft.text !== text || draft.cursor !== cursor) return;
    prompt = offered(prompt, items);
    changed();
  }

  return {
    prompt: () => prompt,
    text: () => wholeText(prompt.buffer.draft),
    isIdle: () => prompt.buffer.draft.text === "" && prompt.search === undefined && prompt.popup === undefined,
    write: (token) => step(token.type === "paste" ? pasted(prompt, token.text) : typed(prompt, token.text, context())),
    press(key) {
      const next = pressed(prompt, key, context());
      if (next !== undefined) step(next);
      return next !== undefined;
    },
    replace(text) {
      prompt = withText(prompt, text);
    },
    putBefore(text) {
      prompt = withTextBefore(prompt, text);
    },
    endSearch() {
      const { search } = prompt;
      prompt = { ...prompt, search: undefined };
      return search !== undefined;
    },
    close: () => completing?.abort(),
  };
}
