/** Where commands of a project keep what is theirs, outside the project. */

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf, type CommandOptions } from "@croft/harness";
import { UsageError } from "../usage.ts";
import type { Environment } from "./environment.ts";
import { projectKey } from "./stores.ts";

export type CommandPlaces = Pick<CommandOptions, "home" | "cache" | "quarantine" | "outputs">;

/** `root`: a real path. Where no home is known, folders that are new with every run. Throws UsageError E_STATE. */
export function commandPlaces(environment: Environment, root: string): CommandPlaces {
  const key = projectKey(root);
  try {
    const { home = "/", stateHome = temporary(), cacheHome = temporary() } = environment;
    const outputs = join(stateHome, "croft", "outputs", key);
    mkdirSync(outputs, { recursive: true, mode: 0o700 });
    return {
      home,
      cache: join(cacheHome, "croft", "commands", key),
      quarantine: join(stateHome, "croft", "quarantine", key),
      outputs,
    };
  } catch (cause) {
    const remedy = "Set XDG_STATE_HOME to a folder of yours that can be written.";
    throw new UsageError("E_STATE", `What commands print cannot be kept: ${messageOf(cause)}.`, remedy, cause);
  }
}

/** Gone with this process. */
function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "croft-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
