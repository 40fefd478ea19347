import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";

/** Removes a folder and all below it. What a test shut to its own user is opened first: else only root could empty it. */
export function removeTree(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    execFileSync("chmod", ["-R", "u+rwX", "--", folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}
