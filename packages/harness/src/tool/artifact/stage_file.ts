/** The tool that takes a copy of a file into memory, or a new text. */

import { newFile } from "../../edit/whole.ts";
import { showPath } from "../../workspace/text/show-path.ts";
import { textResult, type Tool } from "../tool.ts";
import { text } from "../code/input.ts";
import { withNearPaths } from "../code/near-path.ts";
import { artifactTool, strict } from "./define.ts";
import type { ArtifactToolParts } from "./parts.ts";
import description from "./stage_file.md";

const input = strict({ path: text().optional(), content: text().optional() }).refine(
  ({ path, content }) => (path === undefined) !== (content === undefined),
  "expected either path or content",
);

const unnamed = "new file";

/** Throws as `Workspace.source`, E_TOO_LARGE. */
export function stageFile({ staging, ask }: ArtifactToolParts): Tool {
  return artifactTool({
    name: "stage_file",
    description,
    input,
    effect: "read",
    async run({ path, content }, context) {
      const { workspace, signal } = context;
      if (path === undefined) {
        await ask(unnamed, signal);
        const bytes = newFile(unnamed, content ?? "");
        const media = staging.change({ name: unnamed, bytes, base: null }, undefined);
        return textResult(
          `${media.id}: a new text, ${bytes.length} bytes. It is in no file yet: save it with save_media.`,
        );
      }
      const {
        path: found,
        bytes,
        hash,
        mode,
      } = await withNearPaths(path, context, () => workspace.source(path, signal));
      const media = staging.stage({ name: showPath(found), bytes, base: { path: found, hash, mode } });
      return textResult(`${media.id}: a copy of ${media.name}, ${bytes.length} bytes`);
    },
  });
}
