/** The words of a text with how often each stands there, the most frequent first, then by the alphabet. */
export function frequencies(text, { min }) {
  const counts = new Map();
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    if (word.length >= min) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}
