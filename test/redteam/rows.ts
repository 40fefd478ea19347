/** All groups. */

import { links } from "./links.ts";
import { paths } from "./paths.ts";
import { injection } from "./injection.ts";
import { persistence } from "./persistence.ts";
import { context } from "./context.ts";
import { processes } from "./processes.ts";
import { secrets } from "./secrets.ts";
import { terminal } from "./terminal.ts";
import { git } from "./git.ts";
import { proc } from "./proc.ts";
import type { Row } from "./rig/row.ts";

export const rows: readonly Row[] = [
  ...paths,
  ...links,
  ...proc,
  ...git,
  ...injection,
  ...persistence,
  ...processes,
  ...terminal,
  ...secrets,
  ...context,
];
