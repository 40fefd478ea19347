/**
 * The check that runs a project's own: after a turn that changed files, its tests must pass, and not because they were
 * changed. What only passes with changed tests has failed; what could not be run is told as unverified.
 */

import { asFailure } from "../error.ts";
import type { CheckResult } from "../event.ts";
import type { Tree } from "../process/enclosure.ts";
import type { Ended } from "../process/runner.ts";
import { wellFormedSlice } from "../slice.ts";
import { differences, type CheckFiles, type Difference } from "../workspace/originals/look.ts";
import { showPath } from "../workspace/text/show-path.ts";
import type { Check } from "./check.ts";
import { howOf, listOf, namesOf, over, passed, unverified } from "./outcome.ts";
import { withOriginals } from "./own-versions.ts";
import { hasRunTests } from "./tests-ran.ts";
import type { VerifiedTurn } from "./verified-turn.ts";
import words from "./verify.md";

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
        return over(`${listOf(held)} while \`${command}\` failed: what says whether the work is right was changed`);

      emit({ type: "notice", code: "verify", text: `Verifying with \`${command}\` (${from}).` });
      const onOutput = (text: string): void => emit({ type: "output", id: "verify", text });
      try {
        const built = await turn.built(signal);
        const ended = await run(command, undefined, onOutput, signal);
        if (!passed(ended)) return await failed(ended, command, turn, signal);
        if (without === "originals") return { pass: true, note: `\`${command}\` passed` };
        if (!hasRunTests(found, ended.output.text))
          return unverified(`\`${command}\` ended well, but tells of no test that passed`);
        const again = (tree: Tree): Promise<Ended> => run(command, tree, onOutput, signal);
        return await unlessDoubtful(await withOriginals(found, turn, { built, emit, again }, signal), turn, signal);
      } catch (thrown) {
        signal.throwIfAborted();
        const { message, remedy = "" } = asFailure(thrown);
        const changed = await changedSince(turn.originals?.files, turn, signal);
        const told = changed.length === 0 ? "" : ` Meanwhile ${listOf(changed)}.`;
        return unverified(`\`${command}\` could not be run: ${message} ${remedy}`.trim() + told);
      }
    },
  };
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
  if (running.length > 0) return unverified(`${result.note}, but ${namesOf(running)} still ran and could change files`);
  const installed = await turn.installed(signal);
  if (installed.length === 0) return result;
  const packages = namesOf(installed.map(showPath));
  return unverified(`${result.note}, but with installed packages that were changed meanwhile: ${packages}`);
}

/** Start and end: what went wrong is told at the end. */
function shortened(text: string): string {
  if (text.length <= outputMost) return text === "" ? "(no output)" : text;
  const head = wellFormedSlice(text, 0, Math.floor(outputMost * headShare));
  const tail = wellFormedSlice(text, text.length - (outputMost - head.length - 60), text.length);
  return `${head}\n… (${text.length - head.length - tail.length} characters left out) …\n${tail}`;
}
