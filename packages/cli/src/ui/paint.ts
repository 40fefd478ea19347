import { styleText } from "node:util";

/** Colours, or none. Given text must be escaped already: painting adds the only escape sequences croft writes. */
export type Paint = { dim(text: string): string; bad(text: string): string };

export function paintFor(colour: boolean): Paint {
  if (!colour) return { dim: (text) => text, bad: (text) => text };
  return {
    dim: (text) => styleText("dim", text, { validateStream: false }),
    bad: (text) => styleText("red", text, { validateStream: false }),
  };
}
