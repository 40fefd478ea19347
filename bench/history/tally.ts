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
export type Apply = (file: Buffer, calls: readonly Call[]) => Promise<Buffer>;
export type Outcome = "exact" | "text" | "wrong" | { refused: string };

/** Runs a case. What is thrown and is no refusal is passed on. */
export async function outcomeOf(wanted: Case, apply: Apply): Promise<Outcome> {
  let result: Buffer;
  try {
    result = await apply(wanted.file, wanted.calls);
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
