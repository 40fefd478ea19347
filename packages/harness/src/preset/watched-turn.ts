/** A turn watched for its verification: the user's own versions, what they asked for, and what is held once a check failed. */

import { asksToChange } from "../check/asked-for.ts";
import type { CheckCommand } from "../check/check-command.ts";
import { detectCheck } from "../check/detect.ts";
import { scriptsCalled } from "../check/package-scripts.ts";
import type { VerifiedTurn } from "../check/verified-turn.ts";
import { messageOf } from "../error.ts";
import type { Held } from "../gate/hold-checks.ts";
import { checkFileKind, type CheckFileKind } from "../policy/check-files.ts";
import { cachedCode } from "../process/bubblewrap/caches.ts";
import type { PlannedFile } from "../workspace/change.ts";
import { keepOriginals, type Originals } from "../workspace/originals/originals.ts";
import type { SessionBuilds } from "./session-builds.ts";

export interface WatchedTurn extends VerifiedTurn {
  /** Keeps the user's versions, once. Without them the turn goes on, and is told as unverified. */
  keep(signal: AbortSignal): Promise<void>;
  /** What the user asks for in the middle of the turn. */
  hear(text: string): void;
  /** Something was changed, or may have been. */
  noteChange(): void;
  /** What a file is that may not be changed unasked now. */
  heldAs: Held;
  /** A person allowed to change it; it has not landed yet. */
  allow(path: string): void;
  /** What a person allowed is the user's version, once it has landed. */
  landed(file: PlannedFile): void;
  close(): Promise<void>;
}

export type WatchOptions = {
  root: string;
  /** Of ours alone, outside of the project. */
  folder: string;
  /** Where commands keep what they may use again. */
  cache: string;
  task: string;
  /** What checks the project, where the user says it. */
  command: string | undefined;
  /** Whether anything is held. */
  holds: boolean;
  builds: SessionBuilds;
  /** Programs that still run. */
  running: () => readonly string[];
  /** Hears why the user's versions could not be kept. */
  onFault: (text: string) => void;
};

const howBy = { create: "new", update: "changed", delete: "deleted" } as const;

/** Nothing is kept before it is asked for. */
export function watchTurn(options: WatchOptions): WatchedTurn {
  const { root, folder, cache, command, builds, running } = options;
  const said = [options.task];
  const allowed = new Set<string>();
  const approved = new Set<string>();
  let originals: Originals | undefined;
  let keeping: Promise<void> | undefined;
  let changed = false;
  let holding = false;

  async function keepNow(signal: AbortSignal): Promise<void> {
    try {
      const detect = (kept: Parameters<typeof detected>[0]): string | undefined => detected(kept)?.command;
      originals = await keepOriginals({ root, folder, code: cachedCode(cache), command, detect }, signal);
      builds.kept(originals);
    } catch (thrown) {
      if (!signal.aborted) options.onFault(`Your versions of the tests could not be kept: ${messageOf(thrown)}`);
    }
  }

  function kindOf(path: string): CheckFileKind | undefined {
    return originals === undefined ? checkFileKind(path) : originals.kindOf(path);
  }

  const turn: WatchedTurn = {
    get changed() {
      return changed;
    },
    get originals() {
      return originals;
    },
    get approved() {
      return [...approved];
    },
    before: { files: undefined, failure: undefined },
    command() {
      const found = command === undefined ? originals && detected(originals) : { command, from: "as you said" };
      return found && { ...found, calls: scriptsCalled(found.command, originals?.text("package.json")) };
    },
    built: (signal) => builds.built(originals, signal),
    installed: (signal) => builds.installed(originals, signal),
    isWanted: (difference) => said.some((text) => asksToChange(text, difference)),
    running,
    holdTests() {
      holding = options.holds;
    },
    keep: (signal) => (keeping ??= keepNow(signal)),
    hear: (text) => void said.push(text),
    noteChange() {
      changed = true;
    },
    heldAs(path, change) {
      const kind = holding ? kindOf(path) : undefined;
      const isNew = change === "create" || originals?.files.has(path) === false;
      if (kind === undefined || kind === "source" || (kind === "test" && isNew)) return undefined;
      return turn.isWanted({ path, kind, how: howBy[change ?? "update"] }) ? undefined : kind;
    },
    allow: (path) => void allowed.add(path),
    landed({ path, after }) {
      if (!allowed.delete(path) || kindOf(path) === undefined) return;
      approved.add(path);
      originals?.accept(path, after);
      if (turn.before.files === undefined) return;
      const files = new Map(turn.before.files);
      const accepted = originals?.files.get(path);
      if (accepted === undefined) files.delete(path);
      else files.set(path, accepted);
      turn.before.files = files;
    },
    async close() {
      await keeping;
      originals?.close();
    },
  };
  return turn;
}

function detected({ names, files, text }: Pick<Originals, "names" | "files" | "text">): CheckCommand | undefined {
  return detectCheck({ names, text, tests: files.keys() });
}
