/**
 * The user's versions of what says whether a project works, as they were before a turn: kept in a private folder, and
 * put over a copy of the project. It knows nothing of git.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fieldsOf, parseJson, textIn } from "../../json.ts";
import { checkFileKind, type CheckFileKind } from "../../policy/check-files.ts";
import type { FileState } from "../change.ts";
import { hasBeneath, openBeneath } from "../place/beneath.ts";
import { openChecked } from "../place/checked.ts";
import type { Root } from "../place/place.ts";
import { isLeftProcess, processName } from "../../process/system/owner.ts";
import { changedBuilt, type Built } from "./built.ts";
import { changedInstalled } from "./installed.ts";
import { lookAt, printOf, type CheckFile, type CheckFiles, type Difference, type Found } from "./look.ts";
import { goalsOf, namedScripts } from "./named.ts";
import { treeWith, type Kept, type OriginalTree } from "./tree.ts";

/** Bytes that are kept; a project with more is looked at, and cannot be run with its own versions. */
const keptLimit = 128_000_000;

export interface Originals {
  /** As they were when they were kept. */
  readonly files: CheckFiles;
  /** Names in the project's folder itself, then. */
  readonly names: ReadonlySet<string>;
  /** What a file is, by its name, or because the check names it. */
  kindOf(path: string): CheckFileKind | undefined;
  /** The text of a file that was kept. */
  text(path: string): string | undefined;
  /** What a person approved is their version from now on; null: no file. */
  accept(path: string, state: FileState | null): void;
  /** As they are now. Throws the signal's reason. */
  look(signal: AbortSignal): Promise<CheckFiles>;
  /**
   * A copy of the project as it is now, but for these, which are as they were, and without what was built. Throws
   * E_TOO_LARGE, the system's error and the signal's reason.
   */
  treeWith(changed: readonly Difference[], built: Built, signal: AbortSignal): Promise<OriginalTree>;
  /** The moment they were kept, in milliseconds of the system's clock. */
  readonly since: number;
  /** Now, by the same clock. */
  moment(): number;
  /** Files of installed packages that changed after such a moment. Throws the signal's reason. */
  changedInstalled(after: number, signal: AbortSignal): Promise<string[]>;
  /** What was built after it. Throws the signal's reason. */
  changedBuilt(after: number, signal: AbortSignal): Promise<Built>;
  close(): void;
}

export type OriginalsOptions = {
  root: string;
  /** Of ours, outside of the project. */
  folder: string;
  /** Files and folders elsewhere that count as installed, absolute. */
  code?: readonly string[] | undefined;
  /** What checks the project, where that is said. */
  command?: string | undefined;
  /** And where it is not: told by what was kept. */
  detect?: ((facts: Pick<Originals, "names" | "files" | "text">) => string | undefined) | undefined;
};

/** Keeps them as they are now. Throws the system's error. */
export async function keepOriginals(options: OriginalsOptions, signal: AbortSignal): Promise<Originals> {
  const { root, folder, command, detect, code } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeLeft(folder);
  const store = makeOwn(folder, "originals");
  const since = statSync(store).ctimeMs;
  const kept = new Map<string, Kept>();
  let bytes = 0;
  let count = 0;
  let files = new Map<string, CheckFile>();
  const keep = (path: string, found: Found): void => {
    if (found.kind === "link") return void kept.set(path, found);
    bytes += found.bytes.length;
    if (bytes > keptLimit) return;
    const place = join(store, String((count += 1)));
    writeFileSync(place, found.bytes, { flag: "wx", mode: 0o600 });
    kept.set(path, { kind: "file", place, mode: found.mode });
  };
  let named: ReadonlySet<string> = new Set();
  let goals: ReadonlySet<string> = new Set();
  const kindOf = (path: string): CheckFileKind | undefined => {
    if (goals.has(path)) return "goal";
    return checkFileKind(path) ?? (named.has(path) ? "definition" : undefined);
  };
  const look = async (hear: typeof keep, during: AbortSignal): Promise<Map<string, CheckFile>> => {
    using project = openRoot(root);
    return await lookAt(project.top, { kindOf, keep: hear }, during);
  };
  try {
    using project = openRoot(root);
    const names = new Set([...project.top.entries()].map(({ name }) => name));
    named = namedScripts(project, command ?? "");
    files = await look(keep, signal);
    const text = (path: string): string | undefined => {
      const one = kept.get(path);
      return one?.kind === "file" ? readFileSync(one.place, "utf8") : undefined;
    };
    const lines = [command ?? detect?.({ names, files, text }) ?? "", ...scriptsIn(text("package.json"))];
    const makefiles = ["GNUmakefile", "makefile", "Makefile"].map((name) => text(name) ?? "");
    goals = goalsOf(lines.join("\n"), makefiles.join("\n"), names);
    return {
      files,
      names,
      kindOf: (path) => kindOf(path) ?? files.get(path)?.kind,
      text,
      accept(path, state) {
        const kind = kindOf(path) ?? files.get(path)?.kind;
        if (kind === undefined) return;
        kept.delete(path);
        files.delete(path);
        if (state === null) return;
        keep(path, { kind: "file", bytes: state.bytes, mode: state.mode });
        const print = printOf(path, kind, state.bytes);
        if (print !== undefined) files.set(path, { kind, print });
      },
      look: (during) => look(() => undefined, during),
      since,
      async treeWith(changed, built, during) {
        using now = openRoot(root);
        const made = makeOwn(folder, "tree");
        return await treeWith({ root: now, kept, folder: made, aside: store, changed, built }, during);
      },
      changedInstalled: (after, during) => changedInstalled(root, { after, code }, during),
      async changedBuilt(after, during) {
        using now = openRoot(root);
        return await changedBuilt(now.top, after, during);
      },
      moment() {
        const mark = join(store, "moment");
        writeFileSync(mark, "");
        const { ctimeMs } = statSync(mark);
        rmSync(mark);
        return ctimeMs;
      },
      close: () => rmSync(store, { recursive: true, force: true }),
    };
  } catch (thrown) {
    rmSync(store, { recursive: true, force: true });
    throw thrown;
  }
}

/** Lines that a package manager runs by name. */
function scriptsIn(manifest: string | undefined): string[] {
  try {
    const scripts = manifest === undefined ? {} : fieldsOf(fieldsOf(parseJson(manifest))["scripts"]);
    return Object.keys(scripts).map((name) => textIn(scripts, name));
  } catch {
    return [];
  }
}

function makeOwn(folder: string, what: "originals" | "tree"): string {
  const made = join(folder, `${what}-${processName()}`);
  mkdirSync(made, { mode: 0o700 });
  return made;
}

/** What a croft that was killed left there. */
function removeLeft(folder: string): void {
  for (const name of readdirSync(folder)) {
    const owner = /^(?:originals|tree)-(.*)$/.exec(name)?.[1];
    if (owner !== undefined && isLeftProcess(owner)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function openRoot(folder: string): Root & Disposable {
  const root = hasBeneath() ? openBeneath(folder) : openChecked(folder);
  return { ...root, [Symbol.dispose]: () => root.release() };
}
