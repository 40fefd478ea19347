/** Failures of the artifact tools in a closed set of kinds, for whoever acts on them by program. */

import { Failure } from "../error.ts";

/**
 * refused: a person or a rule said no, or what was asked for is out of reach. invalid: the call makes no sense as it is.
 * limit: it is too much. stale: something changed since. io-failure: the system, or a part of another maker, failed.
 */
export type Outcome = "refused" | "not-found" | "invalid" | "stale" | "limit" | "unsupported" | "io-failure" | "fault";

/** The kinds of the codes, these without `E_`. */
const table: readonly (readonly [outcome: Outcome, names: string])[] = [
  ["refused", "REFUSED DENIED UNAVAILABLE OUTSIDE_ROOT HOME_PATH DRIVE_PATH NETWORK_PATH DEVICE_PATH IS_LINK"],
  ["refused", "SECRET_ELSEWHERE SECRET_UNKNOWN SECRET_LOST"],
  ["not-found", "NOT_FOUND NO_ARTIFACT NO_MEDIA NO_OUTPUT NO_PROCESS"],
  ["stale", "STALE RELEASED MOVED"],
  ["limit", "TOO_LARGE PATH_TOO_LONG UNBOUNDED SEARCH_TIMEOUT RANGE"],
  ["unsupported", "UNSUPPORTED BINARY NOT_REGULAR ENCODING NO_RUNNER NOT_ENCLOSED NO_OUTPUTS"],
  ["io-failure", "SEARCH_FAILED NO_RIPGREP UNREADABLE UNWRITABLE DISK_FULL HALF_LANDED NOT_STARTED IN_MEMORY"],
  ["invalid", "INVALID_INPUT EMPTY_PATH BAD_PATH BAD_PATTERN BAD_GLOB BAD_PATCH BAD_QUERY BAD_JSON WRONG_KIND"],
  ["invalid", "NO_MATCH AMBIGUOUS EMPTY_OLD NO_CHANGE EXISTS IS_FOLDER NOT_FOLDER READER_NOT_DESCRIBABLE"],
];

const byName: ReadonlyMap<string, Outcome> = new Map(
  table.flatMap(([outcome, names]) => names.split(" ").map((name) => [name, outcome] as const)),
);

/** What kind of failure a code stands for, as thrown by the doors or by the tools. */
export function outcomeOf(code: string): Outcome {
  return byName.get(code.replace(/^E_(?:SANDBOX_)?/, "")) ?? "fault";
}

/**
 * The same failure under the codes of this toolset: whatever is refused is E_SANDBOX_REFUSED, all else E_SANDBOX_ and its
 * own name, but for E_READER_NOT_DESCRIBABLE. Its message begins with code and kind, for a model that reads nothing else.
 */
export function narrated(failure: Failure): Failure {
  const { code, message, remedy } = failure;
  const outcome = outcomeOf(code);
  const name = outcome === "refused" ? "E_SANDBOX_REFUSED" : codeFor(code);
  return new Failure(name, `[${name}, ${outcome}] ${message}`, { remedy: remedy ?? remedies[outcome], cause: failure });
}

function codeFor(code: string): string {
  return code === "E_READER_NOT_DESCRIBABLE" ? code : code.replace(/^E_(?:SANDBOX_)?/, "E_SANDBOX_");
}

/** For failures that bring none of their own. */
const remedies: Readonly<Record<Outcome, string>> = {
  refused: "Go on without it, and say so.",
  "not-found": "List the folder or find the file to learn its path.",
  invalid: "Correct the call and make it again.",
  stale: "Open or stage it again.",
  limit: "Ask for less.",
  unsupported: "Go on without it, and say so.",
  "io-failure": "Go on without it, and tell the user.",
  fault: "This is a fault of the tool: go on without it, and tell the user.",
};
