/** The tools that author in memory, on a real file in a temporary folder: staged, patched, and saved at the end. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeGate, Failure, openArtifactTools } from "@croft/harness";
import type { Call } from "./requests.ts";
import type { Hands } from "./tally.ts";

/** Whoever opens them closes them. */
export async function openStaging(): Promise<Hands> {
  const folder = mkdtempSync(join(tmpdir(), "croft-history-"));
  const place = join(folder, "file");
  const doors = await openArtifactTools({ root: folder, gate: codeGate({ yes: true }) });
  const { signal } = new AbortController();
  /** The id that a result begins with, where it does. */
  const make = async (name: string, input: unknown): Promise<string> => {
    const { ok, content } = await doors.call(name, input, signal);
    const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    if (!ok) throw refusal(text);
    return text.slice(0, text.indexOf(":"));
  };
  return {
    async apply(file, calls, read) {
      writeFileSync(place, read ?? file);
      let id = await make("stage_file", { path: "file" });
      writeFileSync(place, file);
      for (const call of calls) id = await make("apply_patch", { media_id: id, patch: patchOf(call) });
      await make("save_media", { media_id: id, path: "file" });
      return readFileSync(place);
    },
    async close() {
      await doors.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function patchOf(call: Call): unknown {
  return call.tool === "apply_patch" ? call.patch : { find: call.old, replace: call.new };
}

function refusal(words: string): Failure {
  const name = /^\[E_SANDBOX_([A-Z_]+), /.exec(words)?.[1];
  return new Failure(name === undefined ? words : `E_${name}`, words);
}
