/** Reading JSON that somebody else wrote: nothing is taken for granted, and what is missing is empty. */

export type Fields = Record<string, unknown>;

/** Levels of lists and objects within one another: more than anyone means, and few enough for whatever walks them. */
const maxDepthByDefault = 256;

/** The value of a JSON text. Throws SyntaxError, also where it is nested too deeply to be written or walked again. */
export function parseJson(text: string, maxDepth: number = maxDepthByDefault): unknown {
  const value: unknown = JSON.parse(text);
  if (isTooDeep(value, maxDepth)) throw new SyntaxError(`nested more than ${maxDepth} levels deep`);
  return value;
}

/** The same, but undefined for a text that is no such JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function isTooDeep(value: unknown, maxDepth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  for (const key in value) {
    if (maxDepth === 0 || isTooDeep(Reflect.get(value, key), maxDepth - 1)) return true;
  }
  return false;
}

/** Whether a value is what JSON calls an object: neither null nor an array. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of an object, none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** The text in a field, empty where there is none. */
export function textIn(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === "string" ? value : "";
}

/** The list in a field, empty where there is none. */
export function listIn(fields: Fields, key: string): readonly unknown[] {
  const value = fields[key];
  return Array.isArray(value) ? value : [];
}

/**
 * The count in a field, undefined where there is none: whoever counts below zero or beyond all numbers does not count.
 */
export function countIn(fields: Fields, key: string): number | undefined {
  const value = numberIn(fields, key);
  return value !== undefined && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

/** The number in a field, undefined where there is none. */
export function numberIn(fields: Fields, key: string): number | undefined {
  const value = fields[key];
  return typeof value === "number" ? value : undefined;
}

/** Whether no text in it, keys included, holds half of a surrogate pair, which UTF-8 cannot carry. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner));
}

/** The same value, each such half replaced. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]));
}
