import type { Ask } from "@croft/harness";
import type { Io } from "../io.ts";
import { personAt } from "../ui/person.ts";

/** The person at the terminal; undefined where there is none, on either side. */
export function askerOf({ interactive, stdin, err, paint }: Io): Ask | undefined {
  return interactive ? (action, signal) => personAt({ input: stdin(), err, paint })(action, signal) : undefined;
}
