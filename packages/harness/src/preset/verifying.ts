/** Turns whose work is verified: what is kept before the first change, what is held while the check fails, the check. */

import type { CheckCommand } from "../check/check-command.ts";
import type { Check } from "../check/check.ts";
import { verify, type VerifyParts } from "../check/verify.ts";
import { Failure } from "../error.ts";
import type { Event } from "../event.ts";
import type { Gate } from "../gate/gate.ts";
import { holdingChecks } from "../gate/hold-checks.ts";
import { allowed } from "../gate/verdicts.ts";
import type { Ended, Runner } from "../process/runner.ts";
import type { BeforeImages } from "../workspace/change.ts";
import { createSessionBuilds } from "./session-builds.ts";
import type { TurnOptions, Turns } from "./turns.ts";
import { watchTurn, type WatchedTurn } from "./watched-turn.ts";

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

type Project = { root: string; folder: string; cache: string; emit: (event: Event) => void };

/** `folder`: of ours alone, outside of the project. `cache`: where commands keep what they may use again. */
export function verifyingWith(
  { command, onlyChanges, without }: VerifyOptions,
  { root, folder, cache, emit }: Project,
): Verifying {
  const builds = createSessionBuilds();
  let runner: Runner | undefined;
  let turn: WatchedTurn | undefined;
  /** The command that is croft's own at the moment. */
  let ownLine: readonly string[] | undefined;

  async function during<Value>(task: string, work: (watched: WatchedTurn) => Promise<Value>): Promise<Value> {
    const watched = watchTurn({
      root,
      folder,
      cache,
      task,
      command,
      holds: without !== "holding",
      builds,
      running: () => runningIn(runner),
      onFault: (text) => emit({ type: "notice", code: "verify", text }),
    });
    turn = watched;
    try {
      return await work(watched);
    } finally {
      await watched.close();
      turn = undefined;
    }
  }

  function present(): WatchedTurn {
    if (turn === undefined) throw new Failure("E_RELEASED", "No turn is going on.");
    return turn;
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
      if (turn?.originals !== undefined) builds.checked(turn.originals);
    }
  };

  return {
    hasChanged: () => turn?.changed === true,
    check: verify({ turn: present, onlyChanges, without, run }),
    now: (onOutput, signal) =>
      during("", async (watched) => {
        await watched.keep(signal);
        const found = watched.command();
        return found && { ...found, ended: await run(found.command, undefined, onOutput, signal) };
      }),
    gate(gate) {
      const holding = holdingChecks(gate, (path, change) => turn?.heldAs(path, change));
      return async (action, signal) => {
        if (action.kind !== "write" && action.kind !== "run") return gate(action, signal);
        await turn?.keep(signal);
        // The user said or the project says what it is; in the sandbox it can do no more than any command.
        if (action.kind === "run" && action.command === ownLine && action.enclosed) return allowed;
        const verdict = await holding(action, signal);
        if (action.kind === "write" && verdict.allowed && verdict.by === "person") {
          for (const { path } of action.changes) if (path !== undefined) turn?.allow(path);
        }
        return verdict;
      };
    },
    before: (before) => ({
      keep(files) {
        const kept = before?.keep(files);
        return {
          landed() {
            turn?.noteChange();
            for (const file of files) turn?.landed(file);
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
        for (const { text } of more) turn?.hear(text);
        return more;
      };
    },
    noteChange: () => turn?.noteChange(),
    use(given) {
      runner = given;
    },
    kept: (take) => (task, signal, attachments) => during(task, () => take(task, signal, attachments)),
  };
}

/** Commands that were started and still run, for people. */
function runningIn(runner: Runner | undefined): readonly string[] {
  const running = runner?.running().filter(({ ended }) => ended === undefined) ?? [];
  return running.map(({ command }) => `\`${typeof command === "string" ? command : command.join(" ")}\``);
}
