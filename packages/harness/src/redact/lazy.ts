/** Secrets of a session hidden by what is loaded when something is first shown: a start must not wait for it. */

import type { Redactor } from "./redactor.ts";

/** The redactor of a session, always the same one. */
export type LoadRedactor = () => Promise<Redactor>;

/** `salt` gives what `createRedactor` takes, and is asked once, when the redactor is needed. */
export function lazyRedactor(salt: () => Uint8Array | undefined): LoadRedactor {
  let loading: Promise<Redactor> | undefined;
  return () => (loading ??= import("./redactor.ts").then(({ createRedactor }) => createRedactor(salt())));
}
