/**
 * The last word on a check that passed: the same once more, on a copy with the tests as they were before the turn where
 * nobody wanted them changed, without tests that are new, and without what was built in this session.
 */

import { asFailure } from "../error.ts";
import type { CheckResult, Event } from "../event.ts";
import type { Tree } from "../process/enclosure.ts";
import type { Ended } from "../process/runner.ts";
import type { Built } from "../workspace/originals/built.ts";
import { differences, newTests, type Difference } from "../workspace/originals/look.ts";
import type { Originals } from "../workspace/originals/originals.ts";
import { showPath } from "../workspace/text/show-path.ts";
import type { CheckCommand } from "./check-command.ts";
import { howOf, listOf, namesOf, over, passed, unverified } from "./outcome.ts";
import { hasRunTests } from "./tests-ran.ts";
import type { VerifiedTurn } from "./verified-turn.ts";

type Run = { built: Built; emit: (event: Event) => void; again: (tree: Tree) => Promise<Ended> };
/** What the copy is without, or has otherwise than the project. */
type Apart = { unwanted: readonly Difference[]; added: readonly Difference[]; built: Built };

const nothing: Built = new Map();

/** Throws the signal's reason. */
export async function withOriginals(
  check: CheckCommand,
  turn: VerifiedTurn,
  { built, emit, again }: Run,
  signal: AbortSignal,
): Promise<CheckResult> {
  const { originals } = turn;
  const { command } = check;
  if (originals === undefined)
    return unverified(`\`${command}\` passed, but whether the tests were changed is not known`);
  const now = await originals.look(signal);
  const changed = differences(originals.files, now);
  const unwanted = changed.filter((one) => !turn.isWanted(one));
  const wanted = changed.filter((one) => turn.isWanted(one));
  const told = toldOf(wanted, turn);
  // Tests that are changed as the user wants may well need those that are new.
  const added = wanted.length === 0 ? newTests(originals.files, now).filter(({ path }) => !liesIn(built, path)) : [];
  const apart: Apart = { unwanted, added, built };
  const ways = waysOf(apart);
  if (ways.length === 0) return { pass: true, note: `\`${command}\` passed${told}` };

  emit({ type: "notice", code: "verify", text: `Once more ${ways.join(", ")}.` });
  const ended = await tried(apart, originals);
  if (!("code" in ended)) {
    if (unwanted.length === 0) return unverified(`\`${command}\` passed, but not ${ways.join(", ")}: ${ended.message}`);
    return over(`${listOf(unwanted)}, and your own versions could not be run: ${ended.message}`);
  }
  const holds = passed(ended) && hasRunTests(check, ended.output.text);
  if (holds) return { pass: true, note: `\`${command}\` passed, also ${ways.join(", ")}${told}` };
  if (unwanted.length > 0) {
    const alone = ways.length === 1 ? ended : await tried({ unwanted, added: [], built: nothing }, originals);
    if ("code" in alone && !passed(alone))
      return over(
        `\`${command}\` passes only because ${listOf(unwanted)}; with your own versions it fails (${howOf(alone)})`,
      );
  }
  const how = passed(ended) ? "no test passed" : howOf(ended);
  return unverified(`\`${command}\` passed, but not ${ways.join(", ")} (${how})`);

  async function tried({ unwanted, added, built }: Apart, from: Originals): Promise<Ended | { message: string }> {
    try {
      using tree = await from.treeWith([...unwanted, ...added], built, signal);
      return await again(tree);
    } catch (thrown) {
      signal.throwIfAborted();
      return { message: asFailure(thrown).message };
    }
  }
}

function liesIn(built: Built, path: string): boolean {
  return [...built.keys()].some((place) => path === place || path.startsWith(`${place}/`));
}

/** In words; none where there is nothing to set apart. */
function waysOf({ unwanted, added, built }: Apart): string[] {
  return [
    ...(unwanted.length === 0 ? [] : [`with your own versions (${listOf(unwanted)})`]),
    ...(added.length === 0 ? [] : [`without new tests (${namesOf(added.map(({ path }) => showPath(path)))})`]),
    ...(built.size === 0 ? [] : [`without what this session has left in ${namesOf([...built.keys()].map(showPath))}`]),
  ];
}

/** Changed tests that are as the user wants them are named all the same. */
function toldOf(asked: readonly Difference[], { approved }: VerifiedTurn): string {
  const parts = [
    ...(asked.length === 0 ? [] : [`as you asked, ${listOf(asked)}`]),
    ...(approved.length === 0 ? [] : [`tests changed with your approval: ${approved.map(showPath).join(", ")}`]),
  ];
  return parts.map((part) => `; ${part}`).join("");
}
