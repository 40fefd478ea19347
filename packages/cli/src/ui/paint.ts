/** Colours, or none. Given text must be escaped already: painting adds the only escape sequences croft writes. */
export type Paint = { dim(text: string): string; bad(text: string): string; good(text: string): string };

const same = (text: string): string => text;
export const noPaint: Paint = Object.freeze({ dim: same, bad: same, good: same });

export function paintFor(colour: boolean): Paint {
  if (!colour) return noPaint;
  return {
    dim: (text) => `\u001b[2m${text}\u001b[22m`,
    bad: (text) => `\u001b[31m${text}\u001b[39m`,
    good: (text) => `\u001b[32m${text}\u001b[39m`,
  };
}
