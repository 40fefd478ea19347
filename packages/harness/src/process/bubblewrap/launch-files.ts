/** What all launches of one enclosure share on the disk: a private folder, gone when the enclosure is closed. */

import { chmodSync, mkdirSync, openSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../error.ts";
import { isLeftHere, processName } from "../system/owner.ts";
import type { MaskFiles } from "./project.ts";

export type LaunchFiles = MaskFiles & {
  readonly folder: string;
  /** A descriptor of its own for each child: two that share one share its position too. */
  openFilter(): number;
  /** For reading, with nothing in it. */
  openEmpty(): number;
  remove(): void;
};

/** Where it can stand: with a short path, since sockets stand in it too. */
const bases = ["/tmp", "/var/tmp"];
const prefix = "croft-";

/** Never within one of `writable`, the folders that commands can write to. Throws E_NO_ENCLOSURE, the system's error. */
export function openLaunchFiles(filter: Uint8Array, writable: readonly string[]): LaunchFiles {
  const base = [tmpdir(), ...bases]
    .flatMap((path) => realPathOf(path) ?? [])
    .find((path) => !writable.some((one) => holds(one, path)));
  if (base === undefined) throw new Failure("E_NO_ENCLOSURE", "There is no temporary folder outside the project.");
  removeLeft(base);
  const folder = join(base, prefix + processName());
  mkdirSync(folder, { mode: 0o700 });
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove); // whoever ends croft at once does not wait for it to be closed
  const place = (name: string, content: Uint8Array | string, mode: number): string => {
    const file = join(folder, name);
    writeFileSync(file, content, { flag: "wx" });
    chmodSync(file, mode);
    return file;
  };
  const filterFile = place("filter", filter, 0o400);
  const emptyFile = place("empty", "", 0o444);
  const texts = new Map<string, string>();
  return {
    folder,
    fileWith(content) {
      const file = texts.get(content) ?? place(`text-${texts.size}`, content, 0o444);
      texts.set(content, file);
      return file;
    },
    emptyFile,
    closedFile: place("closed", "", 0o000),
    openFilter: () => openSync(filterFile, "r"),
    openEmpty: () => openSync(emptyFile, "r"),
    remove() {
      process.off("exit", remove);
      remove();
    },
  };
}

/** Undefined where nothing is. */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** What a croft that was killed left there. */
function removeLeft(base: string): void {
  for (const name of readdirSync(base)) {
    if (!name.startsWith(prefix) || !isLeftHere(name.slice(prefix.length))) continue;
    try {
      rmSync(join(base, name), { recursive: true, force: true });
    } catch {
      // that of another user
    }
  }
}

function holds(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
