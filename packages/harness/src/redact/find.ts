/** Finds secrets in text: by their form, by the name before them, and private keys. */

import { assignedSecrets } from "./assignments.ts";
import { formats, type Format } from "./formats.ts";
import { apart, type Found } from "./found.ts";
import { privateKeys } from "./private-key.ts";

/**
 * The secrets in a text, in order and apart from each other. The time it takes is linear in the length of the text,
 * whatever stands in it.
 */
export function findSecrets(text: string): Found[] {
  const found = [...privateKeys(text), ...formatsHintedIn(text).flatMap((format) => ofFormat(text, format))];
  return apart([...found, ...assignedSecrets(text)]);
}

const hints = [...new Set(formats.flatMap((format) => format.hints))].toSorted((a, b) => b.length - a.length);
const anyHint = hints.map((hint) => hint.replaceAll(".", String.raw`\.`)).join("|");

/** One pass for the hints of all formats: to look for each alone takes four times as long as all the rest. */
function formatsHintedIn(text: string): Format[] {
  const found = new Set<string>();
  const pattern = new RegExp(anyHint, "g");
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    found.add(match[0]);
    pattern.lastIndex = match.index + 1; // hints overlap
  }
  if (found.size === 0) return []; // as for most texts: a search has thousands of them
  // The longest hint is found; another that it begins with stands there too.
  const stands = (hint: string): boolean => found.has(hint) || [...found].some((longer) => longer.startsWith(hint));
  return formats.filter((format) => format.hints.some(stands));
}

function ofFormat(text: string, { name, pattern, isNone }: Format): Found[] {
  const all = Array.from(text.matchAll(new RegExp(pattern, "dg")), ({ indices }) => {
    const [from, to] = indices?.[1] ?? indices?.[0] ?? [0, 0];
    return { from, to, name };
  });
  return all.filter(({ from, to }) => !isNone(text.slice(from, to)));
}
