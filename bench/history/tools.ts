/** The tools a model gets, on a real file in a temporary folder, behind the fence and the gate. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeGate, Failure, openCodeTools } from "@croft/harness";
import type { Call } from "./requests.ts";
import type { Hands } from "./tally.ts";

/** What a refusal says, told from the words a model reads. */
const reasons: readonly [code: string, words: RegExp][] = [
  ["E_STALE", / changed since you last read it/],
  ["E_NO_MATCH", /is not there|is not a line of it|do not stand at the end|stands in it only before/],
  ["E_AMBIGUOUS", /^old_string stands |fits at lines |does not show where it belongs/],
  ["E_ENCODING", /its encoding is not known/],
  ["E_NO_CHANGE", /are the same: nothing to change|changes nothing in |cancel each other out/],
  ["E_NOT_READ", /you have not read it/],
  ["E_BAD_PATCH", /^Line \d+ of the patch/],
];

/** Whoever opens them closes them. */
export async function openTools(): Promise<Hands> {
  const folder = mkdtempSync(join(tmpdir(), "croft-history-"));
  const place = join(folder, "file");
  const doors = await openCodeTools({ root: folder, gate: codeGate({ yes: true }) });
  const { signal } = new AbortController();
  const make = async (name: string, input: unknown): Promise<void> => {
    const { ok, content } = await doors.call(name, input, signal);
    if (!ok) throw refusal(content.map((block) => (block.type === "text" ? block.text : "")).join("\n"));
  };
  return {
    async apply(file, calls, read) {
      writeFileSync(place, read ?? file);
      await make("read_file", { path: "file", limit: 1 });
      writeFileSync(place, file);
      for (const call of calls) await make(call.tool, inputOf(call));
      return readFileSync(place);
    },
    async close() {
      await doors.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function inputOf(call: Call): unknown {
  if (call.tool === "apply_patch") return { patch: call.patch };
  return { path: "file", old_string: call.old, new_string: call.new };
}

function refusal(words: string): Failure {
  const [code = words] = reasons.find(([, pattern]) => pattern.test(words)) ?? [];
  return new Failure(code, words);
}
