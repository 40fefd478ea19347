/** The read-only assembly: the tools that only look, under the policy that keeps secrets closed and lets nothing change. */

import { readOnlyPolicy } from "../policy/presets.ts";
import { listFiles } from "../tool/code/list_files.ts";
import { readFile } from "../tool/code/read_file.ts";
import { search } from "../tool/code/search.ts";
import { withStoredSchema } from "../tool/code/stored-schema.ts";
import type { Tool } from "../tool/tool.ts";
import { createLedger } from "../workspace/ledger.ts";
import { openDoors, type DoorOptions, type Doors } from "./doors.ts";

/** The tools that only look. */
export const readOnlyTools: readonly Tool[] = [listFiles, readFile, search].map(withStoredSchema);

/** Opens the doors and the tools. Whoever opens them closes them. Throws Failure, E_BAD_RULE too. */
export function openReadOnly(options: DoorOptions): Doors {
  return openDoors(options, {
    policy: readOnlyPolicy(options.rules, options.root),
    tools: readOnlyTools,
    ledger: createLedger(),
  });
}
