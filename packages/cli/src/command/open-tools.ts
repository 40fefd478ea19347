import {
  loadToolset,
  policyGate,
  presetOf,
  type BeforeImages,
  type DoorOptions,
  type Doors,
  type Event,
  type OpenTurn,
  type ToolsetName,
  type TurnKeeper,
  type Undo,
} from "@croft/harness";
import { loadSettings, noticeOf } from "../config/load.ts";
import { assertApart, ownRules } from "../config/own-places.ts";
import { secretsOf } from "../config/secrets.ts";
import { rulesOf, type Settings } from "../config/settings.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";
import { codingGate, commandOptions, type Grants } from "../session/coding.ts";
import { undoIfAny } from "../session/open-undo.ts";

/**
 * The tools of a recorded session, in a project under the rules of its settings; programs are not run. Nobody is asked:
 * what is left open is refused. `session`: the one whose placeholders stand for secrets.
 */
export async function openRecordedTools(root: string, { session, setup }: Recorded, io: Io): Promise<Doors> {
  const { options } = await doorOptions({ root, project: true, session }, io);
  const toolset = await loadToolset(presetOf({ setup }));
  return toolset.openTools({ ...options, gate: policyGate() });
}

type Recorded = Pick<Extract<Event, { type: "start" }>, "session" | "setup">;

export type CodingTools = {
  root: string;
  /** Whether the project's own configuration counts. */
  project: boolean;
  grants: Grants;
  /** Default: as the settings have it. */
  tools: ToolsetName | undefined;
  /** The one that is called; undefined: any of them. Where it runs no program, no sandbox is waited for. */
  name: string | undefined;
  /** Files count as read from the start. */
  trusting: boolean;
  /** What the turn is called that undo takes back: all that is changed up to `close`. */
  task: string;
};

/** All tools, as `croft run` has them. */
export async function openCodingTools(given: CodingTools, io: Io): Promise<Doors> {
  const { root, project, grants, name, trusting, task } = given;
  const { options, settings } = await doorOptions({ root, project, session: "tool" }, io);
  const toolset = await loadToolset(given.tools ?? settings.tools.value);
  const isRunning = name === undefined || !toolset.files().includes(name);
  const undo = undoOnDemand(root, task, io);
  const doors = await toolset.openTools({
    ...options,
    gate: codingGate(grants, root, io),
    trusting,
    before: undo.before,
    keeper: isRunning ? undo.keeper() : undefined,
    commands: isRunning ? commandOptions(grants, settings, root, io) : undefined,
  });
  return {
    ...doors,
    async close() {
      await doors.close();
      undo.end();
    },
  };
}

type Place = { root: string; project: boolean; session: string };
type Opening = { options: Omit<DoorOptions, "gate">; settings: Settings };

async function doorOptions({ root, project, session }: Place, io: Io): Promise<Opening> {
  const { environment } = io;
  assertApart(root, environment);
  const { settings, widening } = await loadSettings({ root: project ? root : undefined, environment });
  const notice = noticeOf(widening);
  if (notice !== undefined) io.err.write(`${escapeLine(notice)}\n`);
  const secrets = secretsOf(settings, session, environment);
  const rules = [...rulesOf(settings), ...ownRules(root, environment)];
  const options = { root, rules, secrets, searchPath: environment.path, emit: noticesTo(io) };
  return { options, settings };
}

/** Most calls look at files: that there is no sandbox is told with the first one that runs something. */
function noticesTo({ err }: Io): (event: Event) => void {
  let unsaid: string | undefined;
  const say = (text: string): void => err.write(`${escapeLine(text)}\n`);
  return (event) => {
    if (event.type === "notice" && event.code === "no_sandbox") unsaid = event.text;
    else if (event.type === "notice") say(event.text);
    if (event.type !== "decision" || event.action.kind !== "run" || unsaid === undefined) return;
    say(unsaid);
    unsaid = undefined;
  };
}

type UndoOnDemand = {
  before: BeforeImages;
  /** Opens the undo at once. Undefined where there can be none. */
  keeper(): TurnKeeper | undefined;
  end(): void;
};

/** One turn of undo, begun with the first change: most calls change nothing. */
function undoOnDemand(root: string, task: string, io: Io): UndoOnDemand {
  let opened: { undo: Undo | undefined } | undefined;
  let turn: OpenTurn | undefined;
  const open = (): Undo | undefined => (opened ??= { undo: undoIfAny(root, io) }).undo;
  const begin = (undo: Undo): OpenTurn => (turn ??= undo.begin({ session: "tool", task, at: Date.now() }));
  return {
    before: {
      keep(files) {
        const undo = open();
        return undo === undefined ? { landed() {}, dropped() {} } : begin(undo).keep(files);
      },
    },
    keeper() {
      const undo = open();
      return undo === undefined ? undefined : { turn: () => begin(undo), cover: (policy) => undo.cover(policy) };
    },
    end: () => turn?.end(),
  };
}
