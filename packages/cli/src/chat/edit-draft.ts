/** A draft in the editor the person has chosen for everything else. */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInTerminal } from "@croft/harness";
import type { Io } from "../io.ts";

/** The text as it was left; undefined where no editor is named, or it ended with an error. Never throws. */
export async function editDraft(
  draft: string,
  cwd: string,
  { environment, signal }: Pick<Io, "environment" | "signal">,
): Promise<string | undefined> {
  const editor = environment.variable("VISUAL") ?? environment.variable("EDITOR");
  if (editor === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "croft-draft-")).catch(() => undefined);
  if (folder === undefined) return undefined;
  const file = join(folder, "message.md");
  try {
    await writeFile(file, draft, { mode: 0o600 });
    // The variable may hold options too; so a shell reads it, as it does for other programs.
    const argv = ["/bin/sh", "-c", `${editor} "$1"`, "sh", file] as const;
    const code = await runInTerminal({ argv, cwd, environment: environment.all() }, signal);
    return code === 0 ? await readFile(file, "utf8") : undefined;
  } catch {
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
