/** Where two JSON values first differ, as a person can read it. */

import { isObject } from "./json.ts";

/**
 * `path` leads to the place, as `content[0].text`; the two sides are excerpts around it, `nothing` for what is absent.
 */
export type FirstDifference = { path: string; expected: string; actual: string };

/** Characters of an excerpt before the place where two texts part, and in all. */
const before = 24;
const maxExcerpt = 90;

/** Undefined: they are equal. The order of fields does not count, and a field that is undefined is absent. */
export function firstDifference(expected: unknown, actual: unknown, path = ""): FirstDifference | undefined {
  if (Object.is(expected, actual)) return undefined;
  if (typeof expected === "string" && typeof actual === "string") {
    const start = parting(expected, actual) - before;
    return { path, expected: excerpt(expected, start), actual: excerpt(actual, start) };
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length);
    for (let index = 0; index < length; index++) {
      const found = firstDifference(expected[index], actual[index], `${path}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isObject(expected) && isObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const found = firstDifference(expected[key], actual[key], path === "" ? key : `${path}.${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return { path, expected: brief(expected), actual: brief(actual) };
}

/** A value in few characters: JSON, cut where it is long. */
export function brief(value: unknown): string {
  if (typeof value === "string") return excerpt(value, 0);
  const json = value === undefined ? "nothing" : JSON.stringify(value);
  return json.length <= maxExcerpt ? json : `${json.slice(0, maxExcerpt)}…`;
}

function parting(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

function excerpt(text: string, from: number): string {
  const start = Math.max(0, from);
  const cut = text.slice(start, start + maxExcerpt);
  return `${start > 0 ? "…" : ""}${JSON.stringify(cut)}${start + maxExcerpt < text.length ? "…" : ""}`;
}
