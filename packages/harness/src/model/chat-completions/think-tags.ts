/** What a model thought, where its server leaves that in the text: between tags, at the very beginning. */

const tags: readonly (readonly [open: string, close: string])[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["[THINK]", "[/THINK]"],
];

/** `thought` and `said` of a piece; what cannot be told apart yet comes with a later one. */
export type Parted = { thought: string; said: string };

export interface ThoughtParter {
  add(piece: string): Parted;
  /** What is still said when nothing more comes; thoughts that nobody closed are none, and all of it. */
  end(): string;
}

/** Parts a streamed text into the thoughts it begins with and what is said. Tags further in are text. */
export function partThoughts(): ThoughtParter {
  let stage: "beginning" | "thought" | "between" | "said" = "beginning";
  let close = "";
  /** All there was before the end of the thoughts, and what of it is not told apart yet. */
  let whole = "";
  let held = "";

  const begin = (): void => {
    const text = held.trimStart();
    const tag = tags.find(([open]) => text.startsWith(open));
    if (tag === undefined) {
      if (!tags.some(([open]) => open.startsWith(text))) stage = "said";
      return;
    }
    held = text.slice(tag[0].length);
    close = tag[1];
    stage = "thought";
  };

  const think = (): string => {
    const at = held.indexOf(close);
    // The end of a piece may be the beginning of the tag.
    const thought = held.slice(0, at === -1 ? Math.max(0, held.length - close.length + 1) : at);
    held = held.slice(thought.length + (at === -1 ? 0 : close.length));
    if (at !== -1) stage = "between";
    return thought;
  };

  return {
    add(piece) {
      held += piece;
      if (stage === "beginning" || stage === "thought") whole += piece;
      if (stage === "beginning") begin();
      const thought = stage === "thought" ? think() : "";
      if (stage === "between") {
        held = held.trimStart();
        if (held !== "") stage = "said";
      }
      if (stage !== "said") return { thought, said: "" };
      const said = held;
      held = "";
      return { thought, said };
    },
    end: () => (stage === "beginning" || stage === "thought" ? whole : held),
  };
}
