/** What all launches of one enclosure share on the disk: a private folder, gone when the enclosure is closed. */

import { chmodSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../error.ts";
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

/** Never within one of `writable`, the folders that commands can write to. Throws E_NO_ENCLOSURE, the system's error. */
export function openLaunchFiles(filter: Uint8Array, writable: readonly string[]): LaunchFiles {
  const base = [tmpdir(), ...bases]
    .map((path) => realpathSync(path))
    .find((path) => !writable.some((one) => holds(one, path)));
  if (base === undefined) throw new Failure("E_NO_ENCLOSURE", "There is no temporary folder outside the project.");
  const folder = mkdtempSync(join(base, "croft-"));
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
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function holds(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
