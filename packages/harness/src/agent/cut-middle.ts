/** Cutting a text that is too long: its start says what it is, its end how it came out. */

import { wellFormedSlice } from "../slice.ts";

/** Characters that what is said of the part left out can take. */
const note = 60;

/** At most `limit` characters, where that is more than it takes to say how many are left out. */
export function cutMiddle(text: string, limit: number, advice = ""): string {
  if (text.length <= limit) return text;
  const half = Math.max(0, Math.floor((limit - note - advice.length) / 2));
  const start = wellFormedSlice(text, 0, half);
  const end = wellFormedSlice(text, text.length - half, text.length);
  const left = text.length - start.length - end.length;
  return `${start}\n… (${left} characters left out${advice}) …\n${end}`;
}
