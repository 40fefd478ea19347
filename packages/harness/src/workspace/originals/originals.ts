/**
 * The user's versions of what says whether a project works, as they were before a turn: kept in a private folder, and
 * put over a copy of the project. It knows nothing of git.
 */

import { fieldsOf, textIn, tryParseJson } from "../../json.ts";
import { checkFileKind, type CheckFileKind } from "../../policy/check-files.ts";
import type { FileState } from "../change.ts";
import { hasBeneath, openBeneath } from "../place/beneath.ts";
import { openChecked } from "../place/checked.ts";
import type { Root } from "../place/place.ts";
import { changedBuilt, type Built } from "./built.ts";
import { changedInstalled } from "./installed.ts";
import { lookAt, printOf, type CheckFiles, type Difference, type Found } from "./look.ts";
import { goalsOf, namedScripts } from "./named.ts";
import { makeOwn, openStore, type Store } from "./store.ts";
import { treeWith, type OriginalTree } from "./tree.ts";

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
  const store = openStore(options.folder);
  try {
    return await keepIn(store, options, signal);
  } catch (thrown) {
    store.close();
    throw thrown;
  }
}

async function keepIn(store: Store, options: OriginalsOptions, signal: AbortSignal): Promise<Originals> {
  const { root, folder, command, detect, code } = options;
  using before = openRoot(root);
  const names = new Set([...before.top.entries()].map(({ name }) => name));
  const named = namedScripts(before, command ?? "");
  const keep = (path: string, found: Found): void => store.keep(path, found);
  const files = await lookAt(before.top, { kindOf: kindByName, keep }, signal);
  const text = (path: string): string | undefined => store.text(path);
  const lines = [command ?? detect?.({ names, files, text }) ?? "", ...scriptsIn(text("package.json") ?? "")];
  const makefiles = ["GNUmakefile", "makefile", "Makefile"].map((name) => text(name) ?? "");
  const goals = goalsOf(lines.join("\n"), makefiles.join("\n"), names);

  function kindByName(path: string): CheckFileKind | undefined {
    return checkFileKind(path) ?? (named.has(path) ? "definition" : undefined);
  }
  const kindNow = (path: string): CheckFileKind | undefined => (goals.has(path) ? "goal" : kindByName(path));
  const kindOf = (path: string): CheckFileKind | undefined => kindNow(path) ?? files.get(path)?.kind;

  return {
    files,
    names,
    kindOf,
    text,
    accept(path, state) {
      const kind = kindOf(path);
      if (kind === undefined) return;
      store.forget(path);
      files.delete(path);
      if (state === null) return;
      keep(path, { kind: "file", bytes: state.bytes, mode: state.mode });
      const print = printOf(path, kind, state.bytes);
      if (print !== undefined) files.set(path, { kind, print });
    },
    async look(during) {
      using now = openRoot(root);
      return await lookAt(now.top, { kindOf: kindNow, keep: () => undefined }, during);
    },
    since: store.since,
    async treeWith(changed, built, during) {
      using now = openRoot(root);
      const made = makeOwn(folder, "tree");
      const { kept, path: aside } = store;
      return await treeWith({ root: now, kept, folder: made, aside, changed, built }, during);
    },
    changedInstalled: (after, during) => changedInstalled(root, { after, code }, during),
    async changedBuilt(after, during) {
      using now = openRoot(root);
      return await changedBuilt(now.top, after, during);
    },
    moment: () => store.moment(),
    close: () => store.close(),
  };
}

/** Lines that a package manager runs by name. */
function scriptsIn(manifest: string): string[] {
  const scripts = fieldsOf(fieldsOf(tryParseJson(manifest))["scripts"]);
  return Object.keys(scripts).map((name) => textIn(scripts, name));
}

function openRoot(folder: string): Root & Disposable {
  const root = hasBeneath() ? openBeneath(folder) : openChecked(folder);
  return { ...root, [Symbol.dispose]: () => root.release() };
}
