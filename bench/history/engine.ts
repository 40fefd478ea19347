/** The edit engine by itself: no files, no gate. */

import { edit } from "../../packages/harness/src/edit/edit.ts";
import { parsePatch } from "../../packages/harness/src/edit/patch/parse.ts";
import { planPatch } from "../../packages/harness/src/edit/patch/plan.ts";
import { sourceOf } from "../../packages/harness/src/edit/source.ts";
import type { Call } from "./requests.ts";

/** The file after the calls, which are made in order. Throws Failure where one is refused. */
export async function applyInMemory(file: Buffer, calls: readonly Call[]): Promise<Buffer> {
  let bytes: Uint8Array = file;
  for (const call of calls) {
    if (call.tool === "edit_file") bytes = edit(sourceOf("file", bytes), { old: call.old, new: call.new }).bytes;
    else {
      const state = { bytes, hash: "", mode: 0o644 };
      const { changes } = await planPatch(parsePatch(call.patch), async (path) =>
        path === "file" ? state : undefined,
      );
      bytes = changes[0]?.after ?? Buffer.of();
    }
  }
  return Buffer.from(bytes);
}
