/**
 * What a command may touch on macOS, as @anthropic-ai/sandbox-runtime takes it, from what a guard holds. Paths are
 * literal: none is ever read as a pattern.
 */

import type { FilesystemConfig } from "@anthropic-ai/sandbox-runtime";
import type { Held } from "../guard.ts";
import type { Host } from "../proxy/hosts.ts";

/** All paths absolute, links resolved. */
export type Grounds = {
  /** The project. */
  root: string;
  /** Where tools keep what they may use again. */
  cache: string;
  /** For temporary files, of this session alone. */
  scratch: string;
  home: string;
  /** Folders of programs within the home folder. */
  toolchains: readonly string[];
};

/** Where people's own files are, and everybody's temporary ones. */
const others = ["/Users", "/Volumes", "/private/tmp", "/private/var/folders", "/private/var/tmp"];

/** Where the library lets every command write, though other programs keep their own things there. */
const everybodys = ["/tmp/claude", "/private/tmp/claude"];

type Entries = FilesystemConfig["denyRead"];

/**
 * What denies within what allows wins, for reading. For writing every denial wins: what a guard would open for writing
 * below a place that it closes stays closed here.
 */
export function filesystemFor(
  { root, cache, scratch, home, toolchains }: Grounds,
  places: readonly Held[],
  { readOnly }: { readOnly?: true | undefined } = {},
): FilesystemConfig {
  const unread = places.filter((place) => !isRead(place));
  const reopened = places.filter(
    (place) => isRead(place) && unread.some(({ path }) => place.path.startsWith(`${path}/`)),
  );
  const writable = readOnly === true ? [cache, scratch] : [root, cache, scratch];
  const isWritten = (folder: string): boolean => writable.some((path) => `${path}/`.startsWith(`${folder}/`));
  return {
    denyRead: literal([...new Set([home, ...others]), ...unread.map(({ path }) => path)]),
    allowRead: literal([root, cache, scratch, ...toolchains, ...reopened.map(({ path }) => path)]),
    allowWrite: literal(writable),
    denyWrite: literal([
      ...everybodys.filter((folder) => !isWritten(folder)),
      ...(readOnly === true ? [root] : []),
      ...places.filter(({ hold }) => hold !== "writable").map(({ path }) => path),
    ]),
  };
}

/** A file whose text is to be replaced is not read at all: this sandbox replaces nothing. */
function isRead({ hold, content }: Held): boolean {
  return content === undefined && (hold === "read-only" || hold === "writable");
}

/** A server of this machine is named by its address too, else what resolves to it is refused. */
export function domainsFor(hosts: readonly Host[]): string[] {
  return hosts.flatMap(({ name, ports, local }) => {
    const names = local ? ["localhost", "127.0.0.1"] : [name];
    return names.flatMap((one) => ports.map((port) => `${one}:${port}`));
  });
}

/** One line for a shell that becomes the program, with just these arguments. */
export function commandLine(argv: readonly string[]): string {
  return `exec ${argv.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ")}`;
}

function literal(paths: readonly string[]): Entries {
  return paths.map((path) => ({ path, literal: true }));
}
