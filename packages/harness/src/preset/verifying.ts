/** Turns whose work is verified: what is kept before the first change, what is held while the check fails, the check. */

import { asksToChange } from "../check/asked-for.ts";
import type { Check } from "../check/check.ts";
import { scriptsCalled } from "../check/package-scripts.ts";
import type { CheckCommand } from "../check/check-command.ts";
import { detectCheck } from "../check/detect.ts";
import type { VerifiedTurn } from "../check/verified-turn.ts";
import { verify, type VerifyParts } from "../check/verify.ts";
import type { Event } from "../event.ts";
import type { Gate } from "../gate/gate.ts";
import { checkFileKind, type CheckFileKind } from "../policy/check-files.ts";
import { holdingChecks } from "../gate/hold-checks.ts";
import { allowed } from "../gate/verdicts.ts";
import { Failure, messageOf } from "../error.ts";
import type { Ended, Runner } from "../process/runner.ts";
import type { BeforeImages, PlannedFile } from "../workspace/change.ts";
import { keepOriginals, type Originals } from "../workspace/originals/originals.ts";
import type { TurnOptions, Turns } from "./turns.ts";

export type VerifyOptions = {
  /** A line for bash. Default: what the project's files say. */
  command?: string | undefined;
  /** Nothing is said of a turn that changed nothing. Default: it is told as unverified. */
  onlyChanges?: boolean | undefined;
  /** @internal */
  without?: VerifyParts["without"];
};

export type Verifying = {
  readonly check: Check;
  /** The same gate: before it decides on a change, the user's versions are kept. */
  gate(gate: Gate): Gate;
  before(before: BeforeImages | undefined): BeforeImages;
  /** The same: what the user asks for in the middle of a turn is part of its task. */
  steering(steering: TurnOptions["steering"]): TurnOptions["steering"];
  /** Whether something was changed in the turn that runs, or may have been. */
  hasChanged(): boolean;
  /** A command changed something, or may have. */
  noteChange(): void;
  /** What the check is run with. */
  use(runner: Runner | undefined): void;
  kept(take: Turns["take"]): Turns["take"];
  /**
   * Runs the check on the project as it stands, while no turn runs. Undefined: nothing says how to check it. Throws as
   * `Runner.run` does.
   */
  now(onOutput: (text: string) => void, signal: AbortSignal): Promise<Verified | undefined>;
};

/** The project's own check, where it was found, and how it ended. */
export type Verified = CheckCommand & { ended: Ended };

const timeoutMs = 300_000;
/**
 * What Python has compiled is taken for the source by its size and time alone, so a test could stand there in another
 * version; and what pytest remembers can leave tests out. The folder for temporary files is this run's own.
 */
const ownCompiled = "export PYTHONPYCACHEPREFIX=/tmp/compiled PYTEST_ADDOPTS='-o cache_dir=/tmp/pytest'\n";
/** What is kept from one command to the next, and never looked at: on a copy nothing of it counts. */
const ownCaches = "export GOCACHE=/tmp/go-build CCACHE_DIR=/tmp/ccache SCCACHE_DIR=/tmp/sccache\n";
const howBy = { create: "new", update: "changed", delete: "deleted" } as const;

function detected({ names, files, text }: Pick<Originals, "names" | "files" | "text">): CheckCommand | undefined {
  return detectCheck({ names, text, tests: files.keys() });
}

type State = VerifiedTurn & {
  changed: boolean;
  originals: Originals | undefined;
  approved: readonly string[];
  holding: boolean;
  /** Once begun. */
  keeping: Promise<void> | undefined;
};
type Project = { root: string; folder: string; emit: (event: Event) => void };

/** `folder`: of ours alone, outside of the project. */
export function verifyingWith(
  { command, onlyChanges, without }: VerifyOptions,
  { root, folder, emit }: Project,
): Verifying {
  let runner: Runner | undefined;
  let turn: State | undefined;
  /** By the user, for this turn. */
  let said: string[] = [];
  /** Allowed by a person, and not yet landed. */
  let allowedByPerson = new Set<string>();
  /** The command that is croft's own at the moment. */
  let ownLine: readonly string[] | undefined;
  /** When the first of its turns was about to change something. */
  let since: number | undefined;
  /** What has been built since, but for runs of the check, and when the last of these ended. */
  const built = new Map<string, readonly string[]>();
  let lastRun: number | undefined;

  function begin(task: string): State {
    allowedByPerson = new Set();
    said = [task];
    const state: State = {
      changed: false,
      originals: undefined,
      holding: false,
      keeping: undefined,
      before: { files: undefined, failure: undefined },
      command() {
        const { originals } = state;
        const found = command === undefined ? originals && detected(originals) : { command, from: "as you said" };
        return found && { ...found, calls: scriptsCalled(found.command, originals?.text("package.json")) };
      },
      installed: async (signal) => (await state.originals?.changedInstalled(since ?? 0, signal)) ?? [],
      async built(signal) {
        const now = (await state.originals?.changedBuilt(lastRun ?? since ?? 0, signal)) ?? new Map();
        for (const [place, files] of now) built.set(place, [...new Set([...(built.get(place) ?? []), ...files])]);
        return built;
      },
      approved: [],
      isWanted: (difference) => said.some((text) => asksToChange(text, difference)),
      running() {
        const running = runner?.running().filter(({ ended }) => ended === undefined) ?? [];
        return running.map((one) => `\`${typeof one.command === "string" ? one.command : one.command.join(" ")}\``);
      },
      holdTests() {
        state.holding = without !== "holding";
      },
    };
    return state;
  }

  function kindOf(path: string): CheckFileKind | undefined {
    return turn?.originals === undefined ? checkFileKind(path) : turn.originals.kindOf(path);
  }

  function present(): State {
    if (turn === undefined) throw new Failure("E_RELEASED", "No turn is going on.");
    return turn;
  }

  /** Once a turn. Without them the turn goes on, and is told as unverified. */
  async function keep(state: State, signal: AbortSignal): Promise<void> {
    try {
      state.originals = await keepOriginals(
        { root, folder, command, detect: (kept) => detected(kept)?.command },
        signal,
      );
      since ??= state.originals.since;
    } catch (thrown) {
      if (signal.aborted) return;
      emit({
        type: "notice",
        code: "verify",
        text: `Your versions of the tests could not be kept: ${messageOf(thrown)}`,
      });
    }
  }

  function accept({ path, after }: PlannedFile): void {
    const wasAllowed = allowedByPerson.delete(path);
    if (turn === undefined || !wasAllowed || kindOf(path) === undefined) return;
    const { originals, before } = turn;
    originals?.accept(path, after);
    const accepted = originals?.files.get(path);
    if (before.files !== undefined && accepted !== undefined)
      before.files = new Map([...before.files, [path, accepted]]);
    if (before.files !== undefined && accepted === undefined) {
      before.files = new Map([...before.files].filter(([other]) => other !== path));
    }
    turn.approved = [...new Set([...turn.approved, path])];
  }

  const run: VerifyParts["run"] = async (line, tree, onOutput, signal) => {
    if (runner === undefined) throw new Failure("E_NOT_ENCLOSED", "No programs are run in this session.");
    const own = tree === undefined ? ownCompiled : ownCompiled + ownCaches;
    const argv = ["bash", "--noprofile", "--norc", "-c", runner.enclosed ? own + line : line];
    ownLine = argv;
    try {
      return await runner.run({ command: argv, cwd: ".", timeoutMs, tree }, onOutput, signal);
    } finally {
      ownLine = undefined;
      lastRun = turn?.originals?.moment() ?? lastRun;
    }
  };

  async function during<Value>(task: string, work: (state: State) => Promise<Value>): Promise<Value> {
    const begun = begin(task);
    turn = begun;
    try {
      return await work(begun);
    } finally {
      await begun.keeping;
      begun.originals?.close();
      turn = undefined;
    }
  }

  return {
    hasChanged: () => turn?.changed === true,
    check: verify({ turn: present, onlyChanges, without, run }),
    now: (onOutput, signal) =>
      during("", async (state) => {
        await (state.keeping = keep(state, signal));
        const found = state.command();
        return found && { ...found, ended: await run(found.command, undefined, onOutput, signal) };
      }),
    gate(gate) {
      const holding = holdingChecks(gate, (path, change) => {
        const kind = turn?.holding === true ? kindOf(path) : undefined;
        const isNew = change === "create" || turn?.originals?.files.has(path) === false;
        if (kind === undefined || kind === "source" || (kind === "test" && isNew)) return undefined;
        return turn?.isWanted({ path, kind, how: howBy[change ?? "update"] }) === true ? undefined : kind;
      });
      return async (action, signal) => {
        if (action.kind !== "write" && action.kind !== "run") return gate(action, signal);
        if (turn !== undefined) await (turn.keeping ??= keep(turn, signal));
        // The user said or the project says what it is; in the sandbox it can do no more than any command.
        if (action.kind === "run" && action.command === ownLine && action.enclosed) return allowed;
        const verdict = await holding(action, signal);
        if (action.kind === "write" && verdict.allowed && verdict.by === "person") {
          for (const { path } of action.changes) if (path !== undefined) allowedByPerson.add(path);
        }
        return verdict;
      };
    },
    before: (before) => ({
      keep(files) {
        const kept = before?.keep(files);
        return {
          landed() {
            if (turn !== undefined) turn.changed = true;
            for (const file of files) accept(file);
            kept?.landed();
          },
          dropped: () => kept?.dropped(),
        };
      },
    }),
    steering(steering) {
      if (steering === undefined) return undefined;
      return () => {
        const more = steering();
        for (const { text } of more) said.push(text);
        return more;
      };
    },
    noteChange() {
      if (turn !== undefined) turn.changed = true;
    },
    use(given) {
      runner = given;
    },
    kept: (take) => (task, signal, attachments) => during(task, () => take(task, signal, attachments)),
  };
}
