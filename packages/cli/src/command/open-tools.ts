import { openReadOnly, policyGate, type Doors } from "@croft/harness";
import { loadSettings, noticeOf } from "../config/load.ts";
import { rulesOf } from "../config/settings.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";

/**
 * The tools of a project under the rules of its settings, as `croft ask` has them. Nobody is asked: what is left open
 * is refused.
 */
export async function openTools(root: string, project: boolean, io: Io): Promise<Doors> {
  const { settings, wish } = await loadSettings({ root: project ? root : undefined, environment: io.environment });
  const notice = noticeOf(wish);
  if (notice !== undefined) io.err.write(`${escapeLine(notice)}\n`);
  return openReadOnly({ root, gate: policyGate(), rules: rulesOf(settings), searchPath: io.environment.path });
}
