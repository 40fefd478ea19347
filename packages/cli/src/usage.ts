import { Failure } from "@croft/harness";

/** A mistake in what the person typed or set: told in a sentence, exit code 2, before anything is asked or written. */
export class UsageError extends Failure {
  constructor(code: string, message: string, remedy: string, cause?: unknown) {
    super(code, message, { remedy, cause });
    this.name = "UsageError";
  }
}
