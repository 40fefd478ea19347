/** The edit engine by itself: no files, no gate. */

import { edit } from "../../packages/harness/src/edit/edit.ts";
import { insertLines } from "../../packages/harness/src/edit/insert.ts";
import { parsePatch } from "../../packages/harness/src/edit/patch/parse.ts";
import { planPatch } from "../../packages/harness/src/edit/patch/plan.ts";
import { sourceOf } from "../../packages/harness/src/edit/source.ts";
import type { Call } from "./requests.ts";
import type { Hands } from "./tally.ts";

/** Keeps nothing open, and knows nothing of what was read. */
export const engine: Hands = {
  tools: ["edit_file", "apply_patch"],
  async apply(file, calls) {
    let bytes: Uint8Array = file;
    for (const call of calls) bytes = await after(bytes, call);
    return Buffer.from(bytes);
  },
  close: async () => undefined,
};

async function after(bytes: Uint8Array, call: Call): Promise<Uint8Array> {
  if (call.tool === "edit_file") return edit(sourceOf("file", bytes), { old: call.old, new: call.new }).bytes;
  if (call.tool === "insert") return insertLines(sourceOf("file", bytes), call.after, call.text);
  const state = { bytes, hash: "", mode: 0o644 };
  const { changes } = await planPatch(parsePatch(call.patch), async (path) => (path === "file" ? state : undefined));
  return changes[0]?.after ?? Buffer.of();
}
