/**
 * The one error of croft. Expected outcomes are data; what is thrown is a Failure, and its narration says what happened
 * and what to do next, to a model or a person alike.
 */

/** What goes with a failure besides its code and message. */
export type FailureOptions = {
  /** The next step, as a sentence. */
  remedy?: string | undefined;
  /** Present means: trying again may help, not before this many milliseconds. */
  retryAfterMs?: number | undefined;
  cause?: unknown;
};

/** A failure as events and output carry it. */
export type FailureData = { code: string; message: string; remedy?: string | undefined };

/** An expected failure: a stable code for programs, what happened in a sentence, and the next step. `cause` is kept. */
export class Failure extends Error {
  /** E_OUTSIDE_ROOT, E_STALE, E_REFUSED…: stable, for programs. */
  readonly code: string;
  readonly remedy: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Failure";
    this.code = code;
    this.remedy = options.remedy;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** As plain data, for what leaves the process; causes stay inside. */
  toJSON(): FailureData {
    return { code: this.code, message: this.message, ...(this.remedy === undefined ? {} : { remedy: this.remedy }) };
  }

  /** What happened, then the next step: the words a model or a person reads. */
  get narration(): string {
    const happened = asSentence(this.message);
    return this.remedy === undefined ? happened : `${happened} ${this.remedy}`;
  }
}

/** What systems and libraries say ends without a full stop. */
function asSentence(text: string): string {
  return /[\p{L}\p{N})\]}"'`]$/u.test(text) ? `${text}.` : text;
}

/** A Failure as it is; anything else thrown becomes one with code E_INTERNAL, its cause kept. */
export function asFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  return new Failure("E_INTERNAL", messageOf(thrown), { cause: thrown });
}

/** What anything thrown says of itself. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
