/**
 * Undo around commands, whose writing nobody sees: the files that are not ignored are compared before and after, and
 * what they held before is kept. What a command does to ignored files, to git's own folder or to installed packages is
 * not covered.
 */

import { lstatSync, writeFileSync } from "node:fs";
import type { Policy } from "../../policy/policy.ts";
import { openProject } from "../fence/on-disk.ts";
import { mechanismHere } from "../place/mechanism.ts";
import { contentOf } from "../place/content.ts";
import type { Place } from "../place/place.ts";
import type { CommandCover, Recorded } from "../snapshot.ts";
import { noteBegun, noteEnded, notKept, openBase, removeBase, saveBase, type Base, type Index } from "./base.ts";
import { changedOf, isKept, isNoFolder, isOfCommand, isOther, isProtected } from "./judge-difference.ts";
import { putFile, putObject, sha256 } from "./objects.ts";
import { orUnwritable } from "./store.ts";
import { update, type Difference } from "./update.ts";

export type CoverOptions = {
  /** As of the undo it belongs to. */
  store: string;
  root: string;
  /** Says which new files are told of. */
  policy: Policy;
  /** Bytes of all files together, beyond which commands are not covered. */
  limit?: number | undefined;
};

const defaultLimit = 500_000_000;
/** Larger files are copied by the system, which may share their blocks. */
const readWhole = 1_048_576;

/** Holds the project's folder. Nothing is looked at before the first command. Throws the system's error. */
export function openCover({ store, root: folder, policy, limit = defaultLimit }: CoverOptions): CommandCover {
  const mechanism = mechanismHere();
  const root = mechanism(folder);
  const project = openProject(mechanism, root);
  let opened: Base | undefined;
  let round = 0;
  let startedAt = 0;
  let isCovered = true;
  let notices: readonly string[] = [];

  function begin(): Base {
    const base = orUnwritable(store, () => openBase(store));
    if (base.wasRunning) notices = [...notices, endedInCommand];
    opened = base;
    return base;
  }

  async function look(base: Base, signal: AbortSignal): Promise<Difference[]> {
    round += 1;
    let bytes = bytesIn(base.index);
    function keep(file: Place): string {
      bytes += file.size;
      if (bytes > limit) return notKept;
      return isCovered ? orUnwritable(store, () => keepIn(base.objects, file)) : notKept;
    }
    const differences = await update({ root, project, index: base.index, round, keep }, signal);
    if (isCovered && bytesIn(base.index) > limit) {
      isCovered = false;
      forgetContents(base.index);
      notices = [...notices, tooMuch(limit)];
    }
    return differences;
  }

  return {
    async before(signal) {
      const base = opened ?? begin();
      const differences = await look(base, signal);
      if (!isCovered) return removeBase(base);
      orUnwritable(store, () => {
        if (round === 1 && differences.length > 0) saveBase(base);
        noteBegun(base);
        startedAt = nowOnDisk(base.folder);
      });
    },
    async after(turn, signal) {
      const base = opened;
      if (base === undefined) return { paths: [], protectedPaths: [], files: [], record: undefined, notices: [] };
      const wasCovered = isCovered;
      const known = new Set([...base.index.values()].map(({ inode }) => inode));
      const differences = await look(base, signal);
      const files = differences.filter(isOther).filter((one) => isOfCommand(one, startedAt, known));
      const recorded = wasCovered ? turn.commanded(files.filter(isKept).map(changedOf), base.objects) : nothing;
      if (isCovered) noteEnded(base);
      else removeBase(base);
      const told = notices;
      notices = [];
      return {
        ...recorded,
        paths: files.filter(isNoFolder).map(({ path }) => path),
        protectedPaths: files.filter((one) => isProtected(one, policy)).map(({ path }) => path),
        notices: told,
      };
    },
    close() {
      const base = opened;
      if (base !== undefined && isCovered) orUnwritable(store, () => saveBase(base));
      project.release();
      root.release();
    },
  };
}

const nothing: Recorded = { files: [], record: undefined };
const endedInCommand = "croft was ended while a command ran: undo does not know what that command changed.";

function tooMuch(limit: number): string {
  return `Undo does not cover what commands change here: the files that are not ignored have more than ${limit / 1e6} MB.`;
}

function keepIn(objects: string, file: Place): string {
  if (file.size > readWhole) return putFile(objects, file.systemPath(), { durable: false });
  const bytes = contentOf(file);
  const hash = sha256(bytes);
  putObject(objects, hash, bytes, { durable: false });
  return hash;
}

/** Without contents, what looks the same counts as the same. */
function forgetContents(index: Index): void {
  for (const seen of index.values()) {
    if (seen.state.kind === "file") seen.state = { ...seen.state, hash: notKept };
    seen.recent = false;
  }
}

/** By the clock that files get their times from, which lags behind that of programs. */
function nowOnDisk(folder: string): number {
  const probe = `${folder}/now`;
  writeFileSync(probe, "", { mode: 0o600 });
  return lstatSync(probe).mtimeMs;
}

function bytesIn(index: Index): number {
  let bytes = 0;
  for (const { state, size } of index.values()) if (state.kind === "file") bytes += size;
  return bytes;
}
