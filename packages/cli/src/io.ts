import type { Readable } from "node:stream";
import type { Environment } from "./config/environment.ts";
import type { Output } from "./ui/output.ts";
import type { Paint } from "./ui/paint.ts";

export type Input = Readable & { isTTY?: boolean | undefined };

/** What a command has of the world around it. */
export type Io = {
  environment: Environment;
  /** Opened by the first call: to most commands stdin is nothing to wait for. */
  stdin: () => Input;
  /** Whether a person can be asked: stdin and stderr are both a terminal. */
  interactive: boolean;
  out: Output;
  err: Output;
  /** For stderr. */
  paint: Paint;
  /** Whether stderr is a terminal on which a line can be drawn again. */
  live: boolean;
  /** Aborts on the first Ctrl+C or TERM, and when nobody reads stdout any more. */
  signal: AbortSignal;
};
