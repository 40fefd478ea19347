/** Characters (UTF-16 units) from `from` up to `to`, with no half of a surrogate pair at either end. */
export function wellFormedSlice(text: string, from: number, to: number): string {
  const start = isLowSurrogate(text, from) ? from + 1 : from;
  const end = isLowSurrogate(text, to) ? to - 1 : to;
  return text.slice(start, end);
}

/** The first `most` characters, with `…` where there are more. */
export function truncate(text: string, most: number): string {
  return text.length > most ? `${wellFormedSlice(text, 0, most)}…` : text;
}

/** The first line, truncated. */
export function firstLine(text: string, most: number): string {
  return truncate(text.split("\n", 1)[0] ?? "", most);
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}
