/** What came of the cases, by arm. */

import { decode } from "../../packages/harness/src/workspace/text/text.ts";
import type { Case } from "./cases.ts";
import type { Call } from "./requests.ts";

/** `text`: right in all but line ends that the request does not speak of. `refused`: by code. */
export type Tally = {
  arm: string;
  cases: number;
  exact: number;
  text: number;
  wrong: number;
  refused: Record<string, number>;
};
/** What makes the calls. */
export type Hands = {
  /** The calls it knows; cases of others are left out. */
  tools: readonly Call["tool"][];
  /**
   * The file after the calls, which are made in order. `read`: what the file held when it was read, if it is another one
   * by now. Throws Failure where a call is refused.
   */
  apply(file: Buffer, calls: readonly Call[], read?: Buffer): Promise<Buffer>;
  close(): Promise<void>;
};
export type Outcome = "exact" | "text" | "wrong" | { refused: string };

/** Runs a case. What is thrown and is no refusal is passed on. */
export async function outcomeOf(wanted: Case, hands: Hands): Promise<Outcome> {
  let result: Buffer;
  try {
    result = await hands.apply(wanted.file, wanted.calls, wanted.read);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.name === "Failure") return { refused: String(error.code) };
    throw error;
  }
  if (wanted.bytes !== undefined && result.equals(wanted.bytes)) return "exact";
  const text = decode(result)?.text.replaceAll("\r\n", "\n");
  return text !== undefined && text === wanted.text ? "text" : "wrong";
}

export function count(tallies: Map<string, Tally>, arm: string, outcome: Outcome): void {
  const tally = tallies.get(arm) ?? { arm, cases: 0, exact: 0, text: 0, wrong: 0, refused: {} };
  tallies.set(arm, tally);
  tally.cases += 1;
  if (typeof outcome === "string") tally[outcome] += 1;
  else tally.refused[outcome.refused] = (tally.refused[outcome.refused] ?? 0) + 1;
}
