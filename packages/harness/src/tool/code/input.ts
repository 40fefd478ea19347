/** Pieces of input schemas, with messages that say what is expected. */

import { z } from "zod";

/** A text. */
export function text(): z.ZodString {
  return z.string("must be a string");
}

/** A whole number within bounds, both included. */
export function wholeNumber(min: number, max: number): z.ZodInt {
  return z.int("must be a whole number").min(min, `must be >= ${min}`).max(max, `must be <= ${max}`);
}

/** Yes or no. */
export function flag(): z.ZodBoolean {
  return z.boolean("must be true or false");
}
