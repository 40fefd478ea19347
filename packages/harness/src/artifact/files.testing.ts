/** Files of a tree on disk, held as tools hold them, for tests. */

import { onTestFinished } from "vitest";
import type { Gate } from "../gate/gate.ts";
import { policyFrom } from "../policy/rules.ts";
import { openFence } from "../workspace/fence/on-disk.ts";
import type { HeldFile } from "../workspace/held.ts";
import { ripgrep } from "../workspace/search/ripgrep.ts";
import { plantTree, type Planted } from "../workspace/tree.testing.ts";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";

export type Files = {
  root: string;
  workspace: Workspace;
  hold: (path: string) => Promise<HeldFile>;
};

const all = policyFrom([{ name: "all", globs: ["**"], access: ["read"], decision: "allow" }]);

/** Gone when the test is over. Whatever is held is let go with it. */
export function plantFiles(
  entries: Readonly<Record<string, Planted>>,
  gate: Gate = async () => ({ allowed: true, by: "rule" }),
): Files {
  const tree = plantTree(entries);
  const fence = openFence(tree.root, all);
  const workspace = openWorkspace({ fence, gate, search: ripgrep("") });
  onTestFinished(() => {
    fence.close();
    tree.remove();
  });
  return {
    root: tree.root,
    workspace,
    async hold(path) {
      const file = await workspace.open(path, new AbortController().signal);
      onTestFinished(() => file[Symbol.dispose]());
      return file;
    },
  };
}
