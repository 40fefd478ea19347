/** Reading JSON that somebody else wrote: nothing is taken for granted, and what is missing is empty. */

export type Fields = Record<string, unknown>;

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

/** The number in a field, undefined where there is none. */
export function numberIn(fields: Fields, key: string): number | undefined {
  const value = fields[key];
  return typeof value === "number" ? value : undefined;
}
