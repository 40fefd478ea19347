/** A list written as words. */
export function words(text: TemplateStringsArray): string[] {
  return text.join("").trim().split(/\s+/u);
}
