/**
 * The words that what was typed could mean, the likeliest first: it begins so, its last part begins so, it stands in it,
 * its letters do in this order. Case counts only where it is typed as a capital; among equals the shorter word is first.
 */
export function ranked(typed: string, words: readonly string[]): string[] {
  const matches = words.flatMap((word) => {
    const rank = rankOf(typed, word);
    return rank === undefined ? [] : [{ word, rank }];
  });
  matches.sort((a, b) => a.rank - b.rank || a.word.length - b.word.length || (a.word < b.word ? -1 : 1));
  return matches.map(({ word }) => word);
}

function rankOf(typed: string, word: string): number | undefined {
  const text = typed === typed.toLowerCase() ? word.toLowerCase() : word;
  if (text.startsWith(typed)) return 0;
  const name = text.slice(text.replace(/\/$/u, "").lastIndexOf("/") + 1);
  if (name.startsWith(typed)) return 1;
  if (text.includes(typed)) return 2;
  return holdsInOrder(typed, text) ? 3 : undefined;
}

function holdsInOrder(letters: string, text: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
