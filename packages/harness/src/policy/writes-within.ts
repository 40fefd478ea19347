/** A policy under which only one folder may be written. */

import { Failure } from "../error.ts";
import type { Policy } from "./policy.ts";

const outside = "what is outside the folder that may be written";

/**
 * The same policy, with every write denied that is not below `folder` (relative to the root, posix separators, as
 * resolved). What the policy denies or asks about within it stays so. Throws E_BAD_PATH.
 */
export function writesWithin(policy: Policy, folder: string): Policy {
  const names = folder.split("/").filter((name) => name !== "" && name !== ".");
  if (folder.startsWith("/") || names.includes("..")) {
    throw new Failure("E_BAD_PATH", `The folder that may be written is no folder below the root: ${folder}`, {
      remedy: "Name it relative to the root, such as out or packages/site.",
    });
  }
  if (names.length === 0) return policy;
  const prefix = `${names.join("/")}/`;
  return {
    judge(path, access) {
      const isWithin = access !== "write" || `${path}/`.startsWith(prefix);
      return isWithin ? policy.judge(path, access) : { decision: "deny", rule: outside };
    },
  };
}
