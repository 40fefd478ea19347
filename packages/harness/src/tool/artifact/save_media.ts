/** The tool that writes a staged copy into the project. */

import type { Base, Media } from "../../artifact/staging.ts";
import { asFailure, Failure } from "../../error.ts";
import { showPath } from "../../workspace/text/show-path.ts";
import type { Source } from "../../workspace/workspace.ts";
import type { Tool, ToolContext } from "../tool.ts";
import { changedResult } from "../code/changed.ts";
import { text } from "../code/input.ts";
import { artifactTool, strict } from "./define.ts";
import type { ArtifactToolParts } from "./parts.ts";
import description from "./save_media.md";

const input = strict({ media_id: text(), path: text() });

/** Throws E_NO_MEDIA, E_STALE, E_EXISTS, E_IS_LINK, and as `Workspace.source` and `commit`. */
export function saveMedia({ staging }: ArtifactToolParts): Tool {
  return artifactTool({
    name: "save_media",
    description,
    input,
    effect: "write",
    async run({ media_id: id, path }, context) {
      const media = staging.get(id);
      const present = await sourceIfThere(path, context);
      refuseOthers(media, path, present);
      const change = {
        path,
        before: present?.hash ?? null,
        after: media.bytes,
        mode: media.base?.mode,
        linkless: true,
      };
      const committed = await context.workspace.commit([change], context.signal);
      const [landed] = committed;
      if (landed?.after != null)
        staging.saved(media, { path: landed.path, hash: landed.after, mode: modeOf(media, present) });
      return changedResult(committed, {
        notes: [`(${media.id} is saved)`],
        moved: media.isChanged ? [] : committed.map((file) => file.path),
      });
    },
  });
}

/** What the copy was made of, or saved as, must be what is replaced. */
function refuseOthers({ base, name }: Media, path: string, present: Source | undefined): void {
  const isBase = base !== null && (present?.path ?? path) === base.path;
  if (isBase && present?.hash === base.hash) return;
  if (isBase) {
    throw new Failure("E_STALE", `${name} ${present === undefined ? "was removed" : "changed"} since it was staged.`, {
      remedy: "Stage it again, make the change again, and save that.",
    });
  }
  if (present === undefined) return;
  throw new Failure("E_EXISTS", `There is a file ${showPath(present.path)} already, of which this is no copy.`, {
    remedy: "To change it stage that file; else save under another path.",
  });
}

/** The second is how a strict workspace says it of whatever it does not give; the commit refuses what is not to be written. */
const absent: ReadonlySet<string> = new Set(["E_NOT_FOUND", "E_UNAVAILABLE"]);

async function sourceIfThere(path: string, { workspace, signal }: ToolContext): Promise<Source | undefined> {
  try {
    return await workspace.source(path, signal);
  } catch (thrown) {
    if (absent.has(asFailure(thrown).code)) return undefined;
    throw thrown;
  }
}

function modeOf(media: Media, present: Source | undefined): Base["mode"] {
  return present?.mode ?? media.base?.mode ?? 0o644;
}
