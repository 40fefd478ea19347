/** Cutting a text that is too long: its start says what it is, its end how it came out. */

/** Characters that what is said of the part left out can take. */
const note = 60;

/** At most `limit` characters, where that is more than it takes to say how many are left out. */
export function cutMiddle(text: string, limit: number, advice = ""): string {
  if (text.length <= limit) return text;
  const half = Math.max(0, Math.floor((limit - note - advice.length) / 2));
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n… (${left} characters left out${advice}) …\n${text.slice(text.length - half)}`;
}
