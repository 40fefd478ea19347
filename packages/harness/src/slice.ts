/** Characters (UTF-16 units) from `from` up to `to`, with no half of a surrogate pair at either end. */
export function wellFormedSlice(text: string, from: number, to: number): string {
  const start = isLowSurrogate(text, from) ? from + 1 : from;
  const end = isLowSurrogate(text, to) ? to - 1 : to;
  return text.slice(start, end);
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}
