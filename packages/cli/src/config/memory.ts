/** The user's own memory file, which holds in every project. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf, type MemoryFile } from "@croft/harness";
import type { Environment } from "./environment.ts";
import { shortened } from "./shortened.ts";

const mostBytes = 1_048_576;

/**
 * `croft/AGENTS.md` below the config folder. Undefined: there is none; the reason where there is one that cannot be
 * read.
 */
export function readUserMemory({
  configHome,
  home,
}: Pick<Environment, "configHome" | "home">): MemoryFile | { reason: string } | undefined {
  if (configHome === undefined) return undefined;
  const file = join(configHome, "croft", "AGENTS.md");
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    if (!found.isFile()) return { reason: `${file} is no file` };
    if (found.size > mostBytes) return { reason: `${file} has more than ${mostBytes} bytes` };
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
    return { path: shortened(file, home), text };
  } catch (error) {
    return { reason: messageOf(error) };
  }
}
