/** Paths into JSON: `users[0].name`, `["a key"].b`, and nothing for the whole value. */

import { Failure } from "../../error.ts";
import { follow, type Span, type Step } from "./scan.ts";

/** The name of a member, or the number of an item, from 0. */
export type JsonStep = Step;
export type JsonPath = readonly JsonStep[];

const step = /\.?(?<name>[^.[\]"]+)|\[(?<index>\d{1,9})\]|\.?\[(?<key>"(?:[^"\\]|\\.)*")\]/y;

/** `$` and a point at the start may stand or not. Throws E_BAD_QUERY. */
export function parseJsonPath(text: string): JsonPath {
  const path: JsonStep[] = [];
  const plain = text.trim().replace(/^\$/, "");
  for (let at = 0; at < plain.length;) {
    step.lastIndex = at;
    const { name, index, key } = step.exec(plain)?.groups ?? {};
    const found = name ?? (index === undefined ? keyOf(key) : Number(index));
    if (found === undefined) {
      throw new Failure(
        "E_BAD_QUERY",
        `The path ${JSON.stringify(text)} cannot be read from ${JSON.stringify(plain.slice(at, at + 20))} on.`,
        {
          remedy: 'Write it like users[0].name or ["a key"].b, or leave it out for the whole.',
        },
      );
    }
    path.push(jsonStep(found));
    at = step.lastIndex;
  }
  return path;
}

/** One step of a path. */
export function jsonStep(name: string | number): JsonStep {
  return { name, bytes: Buffer.from(String(name)) };
}

function keyOf(quoted: string | undefined): string | undefined {
  if (quoted === undefined) return undefined;
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}

/** As it would be written. */
export function jsonPathText(path: JsonPath): string {
  const parts = path.map(({ name }) => {
    if (typeof name === "number") return `[${name}]`;
    return /^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  });
  return parts.join("").replace(/^\./, "") || "$";
}

/** Where a path leads in a value, or undefined. Of a key that comes twice the last counts. Throws E_BAD_JSON. */
export function findIn(bytes: Buffer, value: Span, path: JsonPath): Span | undefined {
  return follow(bytes, value, path).found;
}

/** How many steps of a path lead somewhere. Throws E_BAD_JSON. */
export function reachIn(bytes: Buffer, value: Span, path: JsonPath): number {
  return follow(bytes, value, path).reached;
}
