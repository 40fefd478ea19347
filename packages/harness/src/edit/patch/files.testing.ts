/** Patches against files that are strings. */

import { hash } from "node:crypto";
import { Failure } from "../../error.ts";
import { parsePatch } from "./parse.ts";
import { planPatch } from "./plan.ts";

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** What a patch does to the files: each path with its new bytes as latin1 (null: gone), or the narration of the refusal. */
export async function patched(patch: string, files: Files): Promise<Record<string, string | null> | string> {
  try {
    const { changes } = await planPatch(parsePatch(patch), async (path) => {
      const file = files[path];
      if (file === undefined) return undefined;
      const bytes = Buffer.from(file);
      return { bytes, hash: hash("sha256", bytes), mode: 0o644 };
    });
    return Object.fromEntries(
      changes.map(({ path, after }) => [path, after === null ? null : Buffer.from(after).toString("latin1")]),
    );
  } catch (error) {
    if (error instanceof Failure) return `${error.code} ${error.narration}`;
    throw error;
  }
}

/** The two lines around an envelope. */
export function envelope(...lines: readonly string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
}

/** A unified diff of `a`, with headers. */
export function unified(...lines: readonly string[]): string {
  return ["--- a/a", "+++ b/a", ...lines, ""].join("\n");
}
