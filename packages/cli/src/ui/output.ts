/** A stream people or programs read, with the two things that can happen to it: it is slow, or it is gone. */

import type { Writable } from "node:stream";

export type Output = {
  write(text: string): void;
  /** Resolves when all that was written has been handed over, or never can be. */
  flushed(): Promise<void>;
  /** Why nothing can be written any more; "EPIPE" when the reader went away. */
  broken(): string | undefined;
};

/** `onBroken` is called once, as soon as it is known. Writing goes on being allowed then, and does nothing. */
export function openOutput(stream: Writable, onBroken: () => void): Output {
  let broken: string | undefined;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (broken !== undefined) return;
    broken = error.code ?? error.message;
    onBroken();
  });
  return {
    write(text) {
      if (broken === undefined) stream.write(text);
    },
    async flushed() {
      if (broken !== undefined) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      stream.once("close", resolve); // a destroyed stream may never call back
      stream.write("", () => resolve());
      await promise;
      stream.off("close", resolve);
    },
    broken: () => broken,
  };
}
