/** The port of a session: an append-only log of events, and the state folded from it. */

import type { Event } from "../event.ts";
import type { Fold } from "./fold.ts";

/** Its state is the fold of its events. */
export interface Session extends Pick<
  Fold,
  "messages" | "rejected" | "spent" | "used" | "offered" | "counted" | "unasked" | "todos"
> {
  readonly id: string;
  /** Where the log is kept, if it is kept. */
  readonly file: string | undefined;
  /**
   * Adds to the log. Durable once returned, but for deltas and output, which are not kept. Never throws: a log that fails says so
   * once.
   */
  append(event: Event): void;
  close(): void;
}

/** Keeps each event in the session, then tells it: what is heard of has been written. */
export function recorder(session: Pick<Session, "append">, emit: (event: Event) => void): (event: Event) => void {
  return (event) => {
    session.append(event);
    emit(event);
  };
}
