import {
  openCodeTools,
  openReadOnly,
  policyGate,
  type BeforeImages,
  type Doors,
  type OpenTurn,
  type TurnKeeper,
  type Undo,
} from "@croft/harness";
import { loadSettings, noticeOf } from "../config/load.ts";
import { rulesOf, type Settings } from "../config/settings.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";
import { codingGate, commandOptions, type Leave } from "./coding.ts";
import { undoIfAny } from "./open-undo.ts";

/**
 * The tools of a project under the rules of its settings, as `croft ask` has them. Nobody is asked: what is left open
 * is refused.
 */
export async function openTools(root: string, io: Io): Promise<Doors> {
  const rules = rulesOf(await settingsFor(root, io));
  return openReadOnly({ root, gate: policyGate(), rules, searchPath: io.environment.path });
}

export type CodingTools = {
  root: string;
  /** Whether the project's own configuration counts. */
  project: boolean;
  leave: Leave;
  /** Whether programs are run: the sandbox is then tried at once. */
  commands: boolean;
  /** Files count as read from the start. */
  trusting: boolean;
  /** What the turn is called that undo takes back: all that is changed up to `close`. */
  task: string;
};

/** All tools, as `croft run` has them. */
export async function openCodingTools(given: CodingTools, io: Io): Promise<Doors> {
  const { root, project, leave, trusting, task } = given;
  const settings = await settingsFor(project ? root : undefined, io);
  const undo = undoOnDemand(root, task, io);
  const doors = await openCodeTools({
    root,
    gate: codingGate(leave, root, io),
    rules: rulesOf(settings),
    searchPath: io.environment.path,
    trusting,
    emit: (event) => event.type === "notice" && io.err.write(`${escapeLine(event.text)}\n`),
    before: undo.before,
    keeper: given.commands ? undo.keeper() : undefined,
    commands: given.commands ? commandOptions(leave, settings, root, io) : undefined,
  });
  return {
    ...doors,
    async close() {
      await doors.close();
      undo.end();
    },
  };
}

async function settingsFor(root: string | undefined, io: Io): Promise<Settings> {
  const { settings, wish } = await loadSettings({ root, environment: io.environment });
  const notice = noticeOf(wish);
  if (notice !== undefined) io.err.write(`${escapeLine(notice)}\n`);
  return settings;
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
