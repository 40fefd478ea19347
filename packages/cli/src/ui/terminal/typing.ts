/**
 * Tells typing from a paste that carries no marks. Enter waits a moment: where text follows at once nobody pressed it,
 * and it is a line feed. The same holds for what comes right behind a paste whose text held the mark of its end.
 */

import type { Token } from "./keys.ts";

export type Typed = Exclude<Token, { type: "stray" }>;
export type Typing = {
  take(tokens: readonly Token[]): void;
  close(): void;
};

/** Milliseconds without a byte after which a held Enter counts. */
const quietMs = 15;

export function openTyping(give: (token: Typed) => void): Typing {
  let held: Token[] = [];
  let holding = false;
  let timer: NodeJS.Timeout | undefined;

  function hold(): void {
    holding = true;
    clearTimeout(timer);
    timer = setTimeout(release, quietMs);
  }

  function release(): void {
    clearTimeout(timer);
    holding = false;
    const [first, ...more] = held;
    held = [];
    if (first === undefined) return;
    if (more.length === 0 && first.type !== "stray") return give(first);
    give({ type: "paste", text: textOf([first, ...more]) });
  }

  function take(token: Token): void {
    const belongs = token.type === "text" || token.type === "stray" || isKey(token, "enter") || isKey(token, "ctrl+j");
    if (holding && belongs) {
      held.push(token);
      return hold();
    }
    release();
    if (token.type === "stray") return;
    if (isKey(token, "enter")) held.push(token);
    else give(token);
    if (isKey(token, "enter") || token.type === "paste") hold();
  }

  return {
    take(tokens) {
      // What stands before the first line feed of it was not typed either.
      if (isBurst(tokens)) hold();
      tokens.forEach(take);
    },
    close: () => clearTimeout(timer),
  };
}

/** Lines in one read, or the end of a paste that has no beginning. */
function isBurst(tokens: readonly Token[]): boolean {
  return tokens.some((token, index) => {
    const isEnd = isKey(token, "enter") || isKey(token, "ctrl+j");
    return token.type === "stray" || (isEnd && tokens[index + 1]?.type === "text");
  });
}

function isKey(token: Token, key: string): boolean {
  return token.type === "key" && token.key === key;
}

/** Lines as they were pasted; the feed behind the last one is left out. */
function textOf(tokens: readonly Token[]): string {
  const text = tokens.map((token) => {
    if (token.type === "key") return token.key === "enter" ? "\r" : "\n";
    return token.type === "stray" ? "" : token.text;
  });
  return text.join("").replaceAll(/\r\n?/g, "\n").replace(/\n$/, "");
}
