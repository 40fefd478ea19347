/** What the tools that open a file under an id share. */

import type { Artifact, ArtifactKind } from "../../artifact/artifacts.ts";
import type { HeldFile } from "../../workspace/held.ts";
import { textResult, type Tool } from "../tool.ts";
import { text } from "../code/input.ts";
import { withNearPaths } from "../code/near-path.ts";
import { artifactTool, strict } from "./define.ts";
import { wordsFor, type ArtifactToolParts } from "./parts.ts";

/** What a file is, and a word about it. */
export type Recognised = { kind: ArtifactKind; what: string };

export type Opener = {
  name: string;
  words: string;
  /** A file that it throws for is closed again. */
  recognise: (file: HeldFile, signal: AbortSignal) => Promise<Recognised>;
};

/** `a1-3f9c: big.log, text, 5000000000 bytes`. Throws as `Workspace.open`, and what `recognise` throws. */
export function opener(parts: ArtifactToolParts, { name, words, recognise }: Opener): Tool {
  return artifactTool({
    name,
    description: wordsFor(words, parts.registered),
    input: strict({ path: text() }),
    effect: "read",
    async run({ path }, context) {
      const { workspace, signal } = context;
      const file = await withNearPaths(path, context, () => workspace.open(path, signal));
      let artifact: Artifact | undefined;
      try {
        const { kind, what } = await recognise(file, signal);
        artifact = parts.artifacts.add(file, kind);
        return textResult(`${artifact.id}: ${artifact.name}, ${what}, ${file.size} bytes${encodingOf(file)}`);
      } finally {
        if (artifact === undefined) file[Symbol.dispose]();
      }
    },
  });
}

function encodingOf({ encoding }: HeldFile): string {
  return encoding === "utf-8"
    ? ""
    : ` (${encoding === "bytes" ? String.raw`not UTF-8: other bytes are shown as \xNN` : encoding})`;
}
