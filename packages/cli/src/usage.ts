import { asFailure, Failure } from "@croft/harness";

/** A mistake in what the person typed or set: told in a sentence, exit code 2, before anything is asked or written. */
export class UsageError extends Failure {
  constructor(code: string, message: string, remedy: string, cause?: unknown) {
    super(code, message, { remedy, cause });
    this.name = "UsageError";
  }
}

/** What is wrong with a file that the person named, as their mistake; a fault in croft stays what it is. */
export function asUsageError(thrown: unknown): unknown {
  const { code, message, remedy = "" } = asFailure(thrown);
  return code === "E_INTERNAL" ? thrown : new UsageError(code, message, remedy, thrown);
}
