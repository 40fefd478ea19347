/** The tool that changes a staged copy, which makes another. */

import { hash } from "node:crypto";
import { z } from "zod";
import type { Media } from "../../artifact/staging.ts";
import { edit } from "../../edit/edit.ts";
import { parsePatch } from "../../edit/patch/parse.ts";
import { planPatch } from "../../edit/patch/plan.ts";
import { sourceOf } from "../../edit/source.ts";
import { Failure } from "../../error.ts";
import { diffOf } from "../../workspace/text/diff.ts";
import { textResult, type Tool } from "../tool.ts";
import { countsOf, linesAround } from "../code/changed.ts";
import { text } from "../code/input.ts";
import description from "./apply_patch.md";
import { artifactTool, strict } from "./define.ts";
import type { ArtifactToolParts } from "./parts.ts";

const replacement = strict({ find: text(), replace: text() });

const input = strict({ media_id: text(), patch: z.union([text(), replacement], "must be a diff or {find, replace}") });

/** Throws E_NO_MEDIA, E_BAD_PATCH, E_NO_MATCH, E_AMBIGUOUS, E_NO_CHANGE, E_BINARY, E_ENCODING, E_TOO_LARGE. */
export function applyPatch({ staging, ask }: ArtifactToolParts): Tool {
  return artifactTool({
    name: "apply_patch",
    description,
    input,
    effect: "write",
    changesNothing: () => true, // before it is saved
    async run({ media_id: id, patch }, { signal }) {
      await ask(id, signal);
      const from = staging.get(id);
      const bytes =
        typeof patch === "string"
          ? await patched(from, patch)
          : edit(
              sourceOf(from.name, from.bytes),
              { old: patch.find, new: patch.replace },
              { old: "find", new: "replace" },
            ).bytes;
      const media = staging.change({ name: from.name, bytes, base: from.base }, from);
      const [before, after] = [hashOf(from.bytes), hashOf(bytes)];
      const changed = { path: from.name, before, after, ...(await diffOf(from.name, from.bytes, bytes)) };
      const headline = `${media.id}: ${media.name} ${countsOf(changed)}. It is not saved yet: save_media writes it.`;
      return textResult([headline, ...linesAround(changed)].join("\n"));
    },
  });
}

/** Whatever file the headers of the diff name: it is about this one. */
async function patched({ name, bytes }: Media, patch: string): Promise<Uint8Array> {
  const sections = parsePatch(/^\s*@@/.test(patch) ? `--- a/x\n+++ b/x\n${patch.trimStart()}` : patch);
  const [section] = sections;
  if (section?.kind !== "update" || section.to !== undefined || sections.length > 1) {
    throw new Failure("E_BAD_PATCH", "The patch is not about changing one file.", {
      remedy: "Nothing was changed. Stage each file, and give each copy a diff of its own.",
    });
  }
  const state = { bytes, hash: hashOf(bytes), mode: 0 };
  const { changes } = await planPatch([{ ...section, path: name }], async () => state);
  return changes[0]?.after ?? bytes;
}

function hashOf(bytes: Uint8Array): string {
  return hash("sha256", bytes);
}
