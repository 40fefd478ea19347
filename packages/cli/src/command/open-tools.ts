import {
  codeGate,
  openCodeTools,
  openReadOnly,
  policyGate,
  type BeforeImages,
  type DoorOptions,
  type Doors,
  type OpenTurn,
  type Event,
} from "@croft/harness";
import { loadSettings, noticeOf } from "../config/load.ts";
import { secretsOf } from "../config/secrets.ts";
import { rulesOf } from "../config/settings.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";
import { askerOf } from "./asker.ts";
import { undoIfAny } from "./open-undo.ts";

/**
 * The tools of a project under the rules of its settings, as `croft ask` has them. Nobody is asked: what is left open
 * is refused. `session`: the one whose placeholders stand for secrets.
 */
export async function openTools(root: string, session: string, io: Io): Promise<Doors> {
  const options = await doorOptions({ root, project: true, session }, io);
  return openReadOnly({ ...options, gate: policyGate() });
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
  const options = await doorOptions({ root, project, session: "tool" }, io);
  const gate = codeGate({ ask: askerOf(io), yes });
  const undo = undoOnDemand(root, task, io);
  const doors = openCodeTools({ ...options, gate, trusting, before: undo });
  return {
    ...doors,
    close() {
      doors.close();
      undo.end();
    },
  };
}

type Place = { root: string; project: boolean; session: string };

async function doorOptions({ root, project, session }: Place, io: Io): Promise<Omit<DoorOptions, "gate">> {
  const { environment } = io;
  const { settings, wish } = await loadSettings({ root: project ? root : undefined, environment });
  const notice = noticeOf(wish);
  if (notice !== undefined) io.err.write(`${escapeLine(notice)}\n`);
  const secrets = secretsOf(settings, session, environment);
  const emit = (event: Event): void => {
    if (event.type === "notice") io.err.write(`${escapeLine(event.text)}\n`);
  };
  return { root, rules: rulesOf(settings), secrets, searchPath: environment.path, emit };
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
