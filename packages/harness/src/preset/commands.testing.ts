// oxlint-disable-next-line no-restricted-imports -- the folders are the test's own
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { CommandOptions } from "./commands.ts";

/** Where commands of a test run and keep things: in folders below this one, which is there. `path`: where programs are. */
export function commandsBelow(folder: string, path: string | undefined): CommandOptions {
  const place = (name: string): string => join(folder, name);
  for (const name of ["home", "outputs"]) mkdirSync(place(name), { recursive: true, mode: 0o700 });
  const folders = { home: place("home"), cache: place("cache"), quarantine: place("kept"), outputs: place("outputs") };
  return { ...folders, user: { PATH: path, HOME: folders.home }, sandbox: true };
}
