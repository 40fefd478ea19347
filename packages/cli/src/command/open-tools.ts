import {
  codeGate,
  openCodeTools,
  openReadOnly,
  policyGate,
  type BeforeImages,
  type Doors,
  type OpenTurn,
  type Rule,
} from "@croft/harness";
import { loadSettings, noticeOf } from "../config/load.ts";
import { rulesOf } from "../config/settings.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";
import { askerOf } from "./asker.ts";
import { undoIfAny } from "./open-undo.ts";

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
  /** What the turn is called that undo takes back: all that is changed up to `close`. */
  task: string;
};

/** All tools, as `croft run` has them. */
export async function openWritingTools({ root, project, yes, trusting, task }: WritingTools, io: Io): Promise<Doors> {
  const rules = await rulesFor(project ? root : undefined, io);
  const gate = codeGate({ ask: askerOf(io), yes });
  const undo = undoOnDemand(root, task, io);
  const doors = openCodeTools({ root, gate, rules, searchPath: io.environment.path, trusting, before: undo });
  return {
    ...doors,
    close() {
      doors.close();
      undo.end();
    },
  };
}

async function rulesFor(root: string | undefined, io: Io): Promise<Rule[]> {
  const { settings, wish } = await loadSettings({ root, environment: io.environment });
  const notice = noticeOf(wish);
  if (notice !== undefined) io.err.write(`${escapeLine(notice)}\n`);
  return rulesOf(settings);
}

/** One turn of undo, begun with the first change: most calls change nothing. */
function undoOnDemand(root: string, task: string, io: Io): BeforeImages & { end(): void } {
  let turn: OpenTurn | undefined;
  let begun = false;
  return {
    keep(files) {
      if (!begun) turn = undoIfAny(root, io)?.begin({ session: "tool", task, at: Date.now() });
      begun = true;
      return turn?.keep(files) ?? { landed() {}, dropped() {} };
    },
    end: () => turn?.end(),
  };
}
