/** How a terminal marks a paste (bracketed paste), and finding a mark that is parted between two reads. */

export const pasteModeOn = "\u001b[?2004h";
export const pasteModeOff = "\u001b[?2004l";
export const pasteStart = "\u001b[200~";
export const pasteEnd = "\u001b[201~";

/** How many characters at the end of a text could begin the mark. */
export function partOf(mark: string, text: string): number {
  for (let size = Math.min(mark.length - 1, text.length); size > 0; size -= 1) {
    if (text.endsWith(mark.slice(0, size))) return size;
  }
  return 0;
}
