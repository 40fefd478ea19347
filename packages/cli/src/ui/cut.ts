/** The first `most` characters; how many are left out is told, never silently dropped. Not yet escaped. */
export function cutAt(text: string, most: number): string {
  const rest = text.length - most;
  return rest > 0 ? `${text.slice(0, most)}… (+${rest} more characters)` : text;
}
