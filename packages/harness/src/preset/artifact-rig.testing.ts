/** The artifact tools on a tree on disk, called as a model calls them, for tests. */

import { onTestFinished } from "vitest";
import { codeGate } from "../gate/code.ts";
import { plantTree, type Planted } from "../workspace/tree.testing.ts";
import { openArtifactTools, type ArtifactDoorOptions, type ArtifactDoors } from "./artifact-tools.ts";

export type ArtifactRig = {
  root: string;
  outside: string;
  doors: ArtifactDoors;
  /** The text of a result, failed or not. */
  call: (name: string, input?: object, signal?: AbortSignal) => Promise<string>;
  /** The same, and whether it failed. */
  outcome: (name: string, input?: object) => Promise<[ok: boolean, text: string]>;
  /** The id that a result begins with. */
  open: (name: string, input: object) => Promise<string>;
};

/** Ordinary changes are made unasked, unless it is said otherwise. Gone when the test is over. */
export async function artifactRig(
  files: Readonly<Record<string, Planted>>,
  options: Partial<ArtifactDoorOptions> = {},
): Promise<ArtifactRig> {
  const tree = plantTree(files);
  onTestFinished(tree.remove);
  const doors = await openArtifactTools({ root: tree.root, gate: codeGate({ yes: true }), ...options });
  onTestFinished(() => doors.close());

  async function outcome(
    name: string,
    input: object = {},
    signal = new AbortController().signal,
  ): Promise<[boolean, string]> {
    const { ok, content } = await doors.call(name, input, signal);
    return [ok, content.map((block) => (block.type === "text" ? block.text : "(image)")).join("\n")];
  }
  return {
    root: tree.root,
    outside: tree.outside,
    doors,
    outcome: (name, input) => outcome(name, input),
    call: async (name, input, signal) => (await outcome(name, input, signal))[1],
    async open(name, input) {
      const [ok, text] = await outcome(name, input);
      const id = /^([am]\d+-[0-9a-f]{4}): /.exec(text)?.[1];
      if (!ok || id === undefined) throw new Error(`Not opened: ${text}`);
      return id;
    },
  };
}
