import { codeGate, openCodeTools, openReadOnly, policyGate, type Doors, type Rule } from "@croft/harness";
import { loadSettings, noticeOf } from "../config/load.ts";
import { rulesOf } from "../config/settings.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";
import { askerOf } from "./asker.ts";

/**
 * The tools of a project under the rules of its settings, as `croft ask` has them. Nobody is asked: what is left open
 * is refused.
 */
export async function openTools(root: string, io: Io): Promise<Doors> {
  const rules = await rulesFor(root, io);
  return openReadOnly({ root, gate: policyGate(), rules, searchPath: io.environment.path });
}

export type WritingTools = {
  root: string;
  /** Whether the project's own configuration counts. */
  project: boolean;
  /** Ordinary changes are made unasked. */
  yes: boolean;
  /** Files count as read from the start. */
  trusting: boolean;
};

/** All tools, as `croft run` has them. */
export async function openWritingTools({ root, project, yes, trusting }: WritingTools, io: Io): Promise<Doors> {
  const rules = await rulesFor(project ? root : undefined, io);
  const gate = codeGate({ ask: askerOf(io), yes });
  return openCodeTools({ root, gate, rules, searchPath: io.environment.path, trusting });
}

async function rulesFor(root: string | undefined, io: Io): Promise<Rule[]> {
  const { settings, wish } = await loadSettings({ root, environment: io.environment });
  const notice = noticeOf(wish);
  if (notice !== undefined) io.err.write(`${escapeLine(notice)}\n`);
  return rulesOf(settings);
}
