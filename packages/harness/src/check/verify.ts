/**
 * The check that runs a project's own: after a turn that changed files, its tests must pass, and not because they were
 * changed. What only passes with changed tests has failed; what could not be run is told as unverified.
 */

import { asFailure } from "../error.ts";
import type { CheckResult, Event } from "../event.ts";
import type { Tree } from "../process/enclosure.ts";
import type { Ended } from "../process/runner.ts";
import { wellFormedSlice } from "../slice.ts";
import { differences, type CheckFiles, type Difference } from "../workspace/originals/look.ts";
import type { Originals } from "../workspace/originals/originals.ts";
import { showPath } from "../workspace/text/show-path.ts";
import type { Check } from "./check.ts";
import type { CheckCommand } from "./detect.ts";
import words from "./verify.md";

/** One turn as far as it is verified. */
export interface VerifiedTurn {
  /** Whether it changed files, itself or by commands. */
  readonly changed: boolean;
  /** The user's versions; undefined where they could not be kept. */
  readonly originals: Originals | undefined;
  /** Undefined where nothing says how to check the project. */
  command(): CheckCommand | undefined;
  /** Whether the task asks for it. */
  isWanted(difference: Difference): boolean;
  /** Paths of tests, and of what defines the check, whose change a person approved: these are their versions now. */
  readonly approved: readonly string[];
  /** Programs that were started and still run: what they do to files while these are checked, nobody sees. */
  running(): readonly string[];
  /** A failure goes back: from now on tests are held. */
  holdTests(): void;
  /** What the last round left, and the failure it ended with. */
  before: { files: CheckFiles | undefined; failure: string | undefined };
}

export type VerifyParts = {
  turn: () => VerifiedTurn;
  run: (
    command: string,
    tree: Tree | undefined,
    onOutput: (text: string) => void,
    signal: AbortSignal,
  ) => Promise<Ended>;
  /** Nothing is said of a turn that changed nothing. */
  onlyChanges?: boolean | undefined;
  /** @internal For tests of one defence without the other. */
  without?: "holding" | "originals" | undefined;
};

const rounds = 3;
/** Characters of output that go back. */
const outputMost = 8_000;
const headShare = 0.3;
/** Paths that are named. */
const mostNamed = 10;

/** Throws the signal's reason; every other trouble is a result. */
export function verify({ turn: current, run, onlyChanges, without }: VerifyParts): Check {
  return {
    name: "verify",
    rounds,
    async run(_answer, emit, signal) {
      const turn = current();
      if (!turn.changed && onlyChanges === true) return { pass: true };
      if (!turn.changed) return unverified("nothing changed, so there was nothing to verify");
      const found = turn.command();
      if (found === undefined) return unverified("nothing says how to check this project; --verify names a command");
      const { command, from } = found;
      const held = without === "holding" ? [] : await changedSince(turn.before.files, turn, signal);
      if (held.length > 0)
        return over(`${list(held)} while \`${command}\` failed: what says whether the work is right was changed`);

      emit({ type: "notice", code: "verify", text: `Verifying with \`${command}\` (${from}).` });
      const onOutput = (text: string): void => emit({ type: "output", id: "verify", text });
      try {
        const ended = await run(command, undefined, onOutput, signal);
        if (!passed(ended)) return await failed(ended, command, turn, signal);
        if (without === "originals") return { pass: true, note: `\`${command}\` passed` };
        return await unlessDoubtful(await withOriginals(command, turn, { emit, onOutput }, signal), turn, signal);
      } catch (thrown) {
        signal.throwIfAborted();
        const { message, remedy = "" } = asFailure(thrown);
        const changed = await changedSince(turn.originals?.files, turn, signal);
        const told = changed.length === 0 ? "" : ` Meanwhile ${list(changed)}.`;
        return unverified(`\`${command}\` could not be run: ${message} ${remedy}`.trim() + told);
      }
    },
  };

  /** The last word: the same once more, with the tests as they were before the turn where nobody wanted them changed. */
  async function withOriginals(
    command: string,
    turn: VerifiedTurn,
    { emit, onOutput }: { emit: (event: Event) => void; onOutput: (text: string) => void },
    signal: AbortSignal,
  ): Promise<CheckResult> {
    const { originals } = turn;
    if (originals === undefined)
      return unverified(`\`${command}\` passed, but whether the tests were changed is not known`);
    const changed = differences(originals.files, await originals.look(signal));
    const unwanted = changed.filter((one) => !turn.isWanted(one));
    const told = toldOf(
      changed.filter((one) => turn.isWanted(one)),
      turn,
    );
    if (unwanted.length === 0) return { pass: true, note: `\`${command}\` passed${told}` };
    emit({ type: "notice", code: "verify", text: `Once more with your own versions: ${list(unwanted)}.` });
    let ended: Ended;
    try {
      using tree = await originals.treeWith(unwanted, signal);
      ended = await run(command, tree, onOutput, signal);
    } catch (thrown) {
      signal.throwIfAborted();
      const { message } = asFailure(thrown);
      return over(`${list(unwanted)}, and your own versions could not be run: ${message}`);
    }
    if (passed(ended))
      return { pass: true, note: `\`${command}\` passed, with your own versions too; ${list(unwanted)}${told}` };
    return over(
      `\`${command}\` passes only because ${list(unwanted)}; with your own versions it fails (${howOf(ended)})`,
    );
  }
}

async function failed(ended: Ended, command: string, turn: VerifiedTurn, signal: AbortSignal): Promise<CheckResult> {
  const failure = `${ended.code} ${ended.output.text.replaceAll(/\d+/g, "")}`;
  const again = failure === turn.before.failure;
  turn.before.failure = failure;
  turn.before.files = await turn.originals?.look(signal);
  turn.holdTests();
  const report = words
    .replace("{{command}}", () => command)
    .replace("{{how}}", () => howOf(ended))
    .replace("{{output}}", () => shortened(ended.output.text.trim()))
    .trimEnd();
  return { pass: false, report, final: again ? "check_failed" : undefined };
}

/** Changes that no person wanted since the last round; what becomes of files that this turn has added is none. */
async function changedSince(
  before: CheckFiles | undefined,
  turn: VerifiedTurn,
  signal: AbortSignal,
): Promise<Difference[]> {
  const { originals } = turn;
  if (before === undefined || originals === undefined) return [];
  const changed = differences(before, await originals.look(signal));
  return changed.filter((one) => !turn.isWanted(one) && (one.how === "new" || originals.files.has(one.path)));
}

/** What is beyond a copy of the tests: other packages than the user installed, and what goes on beside the check. */
async function unlessDoubtful(result: CheckResult, turn: VerifiedTurn, signal: AbortSignal): Promise<CheckResult> {
  if (!result.pass || result.unverified === true) return result;
  const running = turn.running();
  if (running.length > 0) return unverified(`${result.note}, but ${named(running)} still ran and could change files`);
  const changed = (await turn.originals?.changedInstalled(signal)) ?? [];
  if (changed.length === 0) return result;
  const packages = named(changed.map(showPath));
  return unverified(`${result.note}, but with installed packages that were changed meanwhile: ${packages}`);
}

/** Changed tests that are as the user wants them are named all the same. */
function toldOf(asked: readonly Difference[], { approved }: VerifiedTurn): string {
  const parts = [
    ...(asked.length === 0 ? [] : [`as you asked, ${list(asked)}`]),
    ...(approved.length === 0 ? [] : [`tests changed with your approval: ${approved.map(showPath).join(", ")}`]),
  ];
  return parts.map((part) => `; ${part}`).join("");
}

function passed({ code, timedOut }: Ended): boolean {
  return code === 0 && !timedOut;
}

function howOf({ code, signal, timedOut }: Ended): string {
  if (timedOut) return "it did not end in time";
  return code === null ? `ended by ${signal ?? "the system"}` : `exit code ${code}`;
}

function unverified(note: string): CheckResult {
  return { pass: true, unverified: true, note };
}

function over(report: string): CheckResult {
  return { pass: false, report, final: "check_failed" };
}

/** `a.test.ts was changed, b.test.ts was deleted`. */
function list(files: readonly Difference[]): string {
  return named(files.map(({ path, how }) => `${showPath(path)} ${how === "new" ? "is new" : `was ${how}`}`));
}

function named(files: readonly string[]): string {
  const rest = files.length - mostNamed;
  return files.slice(0, mostNamed).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** Start and end: what went wrong is told at the end. */
function shortened(text: string): string {
  if (text.length <= outputMost) return text === "" ? "(no output)" : text;
  const head = wellFormedSlice(text, 0, Math.floor(outputMost * headShare));
  const tail = wellFormedSlice(text, text.length - (outputMost - head.length - 60), text.length);
  return `${head}\n… (${text.length - head.length - tail.length} characters left out) …\n${tail}`;
}
