/** A file that a person named for what a command makes: there as a whole, or not at all. */

import { closeSync, openSync, renameSync, rmSync, statSync, writeFileSync, type Stats } from "node:fs";
import { messageOf } from "@croft/harness";
import { UsageError } from "./usage.ts";

export type WholeFile = {
  write(text: string): void;
  /** The file is there from now on, in place of what was there. */
  end(): void;
  /** Leaves nothing behind, unless it has ended. */
  [Symbol.dispose](): void;
};

/** `source`: what it is made from, which it never takes the place of. `what` and the rest: how a person is told. */
export type WholeFileOptions = { file: string; source: string; what: string; code: string; remedy: string };

/**
 * For its owner alone. A device or a pipe is written to and stays what it is. Every method throws UsageError for what
 * cannot be written.
 */
export function openWholeFile({ file, source, what, code, remedy }: WholeFileOptions): WholeFile {
  const there = statSync(file, { throwIfNoEntry: false });
  const isStream = there !== undefined && !there.isFile() && !there.isDirectory();
  const unfinished = isStream ? undefined : `${file}.${process.pid}.part`;

  function attempt<Value>(work: () => Value): Value {
    try {
      return work();
    } catch (cause) {
      // The name of the unfinished one means nothing to a person.
      const reason = messageOf(cause).replaceAll(unfinished ?? file, file);
      throw new UsageError(code, `The ${what} cannot be written: ${reason}.`, remedy, cause);
    }
  }

  let descriptor: number | undefined = attempt(() => {
    if (there?.isDirectory() === true) throw new Error(`${file} is a folder`);
    if (there !== undefined && isSame(there, statSync(source))) throw new Error(`${file} is what it is made from`);
    return unfinished === undefined ? openSync(file, "w") : openSync(unfinished, "wx", 0o600);
  });

  function close(): void {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  }

  return {
    write(text) {
      const to = descriptor;
      if (to !== undefined) attempt(() => writeFileSync(to, text));
    },
    end() {
      close();
      if (unfinished !== undefined) attempt(() => renameSync(unfinished, file));
    },
    [Symbol.dispose]() {
      close();
      if (unfinished !== undefined) rmSync(unfinished, { force: true });
    },
  };
}

function isSame(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}
