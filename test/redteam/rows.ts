/** All groups. */

import { links } from "./links.ts";
import { paths } from "./paths.ts";
import type { Row } from "./rig/row.ts";

export const rows: readonly Row[] = [...paths, ...links];
