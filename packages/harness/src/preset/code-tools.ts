/** The tools that change files, beside those that only look, under the policy of working on a project. */

import { codePolicy } from "../policy/presets.ts";
import { applyPatch } from "../tool/code/apply_patch.ts";
import { editFile } from "../tool/code/edit_file.ts";
import { writeFile } from "../tool/code/write_file.ts";
import type { Tool } from "../tool/tool.ts";
import type { BeforeImages } from "../workspace/change.ts";
import { createLedger } from "../workspace/ledger.ts";
import { openDoors, type DoorOptions, type Doors } from "./doors.ts";
import { readOnlyTools } from "./read-only.ts";

export type CodeDoorOptions = DoorOptions & {
  /** Keeps what is about to be replaced. Without it, what is replaced is gone. */
  before?: BeforeImages | undefined;
  /**
   * Whether files count as read from the start, for a person who calls tools one by one and has looked elsewhere.
   * Default: only what was read in the session.
   */
  trusting?: boolean | undefined;
};

/** The tools of working on a project. */
export const codeTools: readonly Tool[] = [...readOnlyTools, editFile, writeFile, applyPatch];

/** Opens the doors and the tools. Whoever opens them closes them. Throws Failure, E_BAD_RULE too. */
export function openCodeTools(options: CodeDoorOptions): Doors {
  const { root, rules, before, trusting = false } = options;
  const ledger = createLedger();
  return openDoors(options, {
    policy: codePolicy(rules, root),
    tools: codeTools,
    ledger: trusting ? { ...ledger, seen: () => "current" } : ledger,
    before,
  });
}
