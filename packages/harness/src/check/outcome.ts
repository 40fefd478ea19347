/** How a run of a check ended, and the files that had to do with it, in words and as results. */

import type { CheckResult } from "../event.ts";
import type { Ended } from "../process/runner.ts";
import type { Difference } from "../workspace/originals/look.ts";
import { showPath } from "../workspace/text/show-path.ts";

/** Paths that are named. */
const mostNamed = 10;

export function passed({ code, timedOut }: Ended): boolean {
  return code === 0 && !timedOut;
}

/** `exit code 1`. */
export function howOf({ code, signal, timedOut }: Ended): string {
  if (timedOut) return "it did not end in time";
  return code === null ? `ended by ${signal ?? "the system"}` : `exit code ${code}`;
}

/** Neither passed nor failed, as far as anybody can tell. */
export function unverified(note: string): CheckResult {
  return { pass: true, unverified: true, note };
}

/** Failed, and for the user to judge. */
export function over(report: string): CheckResult {
  return { pass: false, report, final: "check_failed" };
}

/** `a.test.ts was changed, b.test.ts was deleted`. */
export function listOf(files: readonly Difference[]): string {
  return namesOf(files.map(toldOf));
}

function toldOf({ path, kind, how }: Difference): string {
  if (kind === "source") return `the tests in ${showPath(path)} were changed`;
  return `${showPath(path)} ${how === "new" ? "is new" : `was ${how}`}`;
}

/** The first of them, and how many more there are. */
export function namesOf(files: readonly string[]): string {
  const rest = files.length - mostNamed;
  return files.slice(0, mostNamed).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
