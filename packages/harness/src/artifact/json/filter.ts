/** Which values are meant: conditions on what stands at a path in them. */

import { findIn, type JsonPath } from "./path.ts";
import { stringAt, typeAt, type Span } from "./scan.ts";
import { asItStands } from "./show.ts";

export type Scalar = string | number | boolean | null;
export type Operator = "eq" | "ne" | "lt" | "lte" | "gt" | "gte" | "contains" | "exists" | "absent";
export type Condition = { readonly path: JsonPath; readonly op: Operator; readonly value?: Scalar | undefined };

/** Whether what stands at the path of a condition may be compared; `text`: as it stands. */
export type MayCompare = (path: JsonPath, text: string) => boolean;

/**
 * Whether a value meets all conditions. Numbers are compared as numbers, strings by their characters, and one with the
 * other never holds but for `ne`. `contains` is for strings. What may not be compared meets nothing but `exists`, whatever
 * it is: a condition would tell what it is. Throws E_BAD_JSON.
 */
export function meets(
  bytes: Buffer,
  value: Span,
  conditions: readonly Condition[],
  mayCompare: MayCompare = () => true,
): boolean {
  return conditions.every(({ path, op, value: wanted }) => {
    const found = findIn(bytes, value, path);
    if (op === "exists" || op === "absent") return (found === undefined) === (op === "absent");
    if (found === undefined) return false;
    const scalar = scalarAt(bytes, found);
    // Asked last: it takes longer than comparing, and most values do not meet a condition.
    return compare(scalar, op, wanted) && (scalar === undefined || mayCompare(path, asItStands(bytes, found)));
  });
}

/** undefined for objects and arrays. */
function scalarAt(bytes: Buffer, span: Span): Scalar | undefined {
  const type = typeAt(bytes, span);
  if (type === "object" || type === "array") return undefined;
  if (type === "string") return stringAt(bytes, span);
  const text = bytes.toString("latin1", span.from, span.to);
  if (type === "number") return Number(text);
  return type === "null" ? null : text === "true";
}

function compare(found: Scalar | undefined, op: Operator, wanted: Scalar | undefined): boolean {
  if (op === "eq") return found === wanted;
  if (op === "ne") return found !== wanted;
  if (op === "contains") return typeof found === "string" && found.includes(String(wanted));
  if (typeof found === "number" && typeof wanted === "number") return inOrder(found, op, wanted);
  return typeof found === "string" && typeof wanted === "string" && inOrder(found, op, wanted);
}

function inOrder<Value extends string | number>(found: Value, op: Operator, wanted: Value): boolean {
  if (op === "lt") return found < wanted;
  if (op === "lte") return found <= wanted;
  return op === "gt" ? found > wanted : found >= wanted;
}
