/** One short run of a program, to learn whether it works. */

import { Failure } from "../error.ts";
import { startProgram } from "./spawn.ts";

export type ProbeOptions = {
  cwd: string;
  /** Everything the program finds in its environment. */
  env: Readonly<Record<string, string>>;
  /** Milliseconds until it is ended. */
  ms: number;
  /** Open descriptors that it gets as 3, 4, … */
  descriptors?: readonly number[] | undefined;
};

/** `output` and `errors` are text, without blanks at their ends; of `errors` only the end is kept. */
export type ProbeResult = { code: number | null; output: string; errors: string };

/** Characters of output after which no more is read. */
const maxOutput = 10_000;

/**
 * Runs a program, an absolute path with its arguments, to its end. Throws Failure: E_NOT_STARTED, or E_TIMEOUT when
 * ended.
 */
export async function probeProgram(
  argv: readonly [string, ...string[]],
  { ms, ...options }: ProbeOptions,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const timeout = AbortSignal.timeout(ms);
  await using child = await startProgram({ argv, ...options }, AbortSignal.any([signal, timeout]));
  const decoder = new TextDecoder();
  let output = "";
  for await (const chunk of child.output) {
    if (output.length < maxOutput) output += decoder.decode(chunk, { stream: true });
  }
  const { code, tail } = await child.exit;
  if (timeout.aborted) throw new Failure("E_TIMEOUT", `${argv[0]} did not end within ${ms / 1000} s.`);
  return { code, output: output.trim(), errors: tail.trim() };
}
