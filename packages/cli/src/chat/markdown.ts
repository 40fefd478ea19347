/** Text of others put into Markdown, so that it stays what it is. */

/** On one line, as code. */
export function code(text: string): string {
  const ticks = "`".repeat(longestRun(text) + 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${ticks}${pad}${text}${pad}${ticks}`;
}

/** Lines, as a block of code. */
export function fenced(text: string, language = ""): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text.replace(/\n?$/u, "\n")}${fence}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [ticks] of text.matchAll(/`+/gu)) longest = Math.max(longest, ticks.length);
  return longest;
}
