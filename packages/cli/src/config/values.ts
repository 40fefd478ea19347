/** Schemas of single values, with messages that go on a sentence: "budget.turns must be a whole number". */

import { commandPolicy, policyFrom } from "@croft/harness";
import { z } from "zod";

export const text = (): z.ZodString => z.string("must be a string").min(1, "must not be empty");
export const flag = (): z.ZodBoolean => z.boolean("must be true or false");
export const count = (): z.ZodInt => z.int("must be a whole number").min(1, "must be 1 or more");
export const amount = (): z.ZodNumber => z.number("must be a number").min(0, "must be 0 or more");

/** A URL without what would be a secret in it. */
export function baseUrl(): z.ZodString {
  return text().refine((url) => {
    const { protocol = "", username, password, search, hash } = URL.parse(url) ?? {};
    return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === "";
  }, "must be a URL with http:// or https://, without a user, a password or a query");
}

/** A glob that the policy can read and that some path can match. */
export function glob(): z.ZodString {
  return text().superRefine((value, context) => {
    const fault = faultOf(value);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  });
}

function faultOf(glob: string): string | undefined {
  if (glob.startsWith("!")) return "begins with !, which is not known here: use policy.allow";
  if (/^~|(?:^|\/)\.{1,2}(?:\/|$)/.test(glob)) return "matches nothing: write it relative to the project";
  try {
    policyFrom([{ name: "", globs: [glob], access: ["read"], decision: "deny" }]);
    return undefined;
  } catch {
    return "is no glob: close every [, end in neither a slash nor a backslash";
  }
}

/** A program with the words it begins with, as the rules about commands can read it. */
export function commandRule(): z.ZodString {
  return text().refine(isCommandRule, "is no plain command: write a program and the words it begins with");
}

function isCommandRule(rule: string): boolean {
  try {
    commandPolicy({ deny: [rule] });
    return true;
  } catch {
    return false;
  }
}
