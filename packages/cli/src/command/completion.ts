/** `croft completion`: a script that teaches a shell to complete croft's commands, options and what follows them. */

import { modelIds } from "@croft/harness";
import { parseArguments } from "../arguments.ts";
import { bashScript } from "../completion/bash.ts";
import { fishScript } from "../completion/fish.ts";
import { commandSpecs, type CommandSpec } from "../completion/specs.ts";
import { zshScript } from "../completion/zsh.ts";
import { loadSettings } from "../config/load.ts";
import { currentFolder, projectRoot } from "../config/root.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";
import { UsageError } from "../usage.ts";

const options = {} as const;

const scripts: ReadonlyMap<string, (commands: readonly CommandSpec[]) => string> = new Map([
  ["bash", bashScript],
  ["zsh", zshScript],
  ["fish", fishScript],
]);

/**
 * Prints the script for a shell, or the names of models, which the scripts ask for. `helps`: the help of each command.
 * The exit code. Throws UsageError.
 */
export function completion(
  helps: () => ReadonlyMap<string, string>,
): (args: readonly string[], io: Io) => Promise<number> {
  return async (args, io) => {
    const { positionals } = parseArguments("completion", args, options);
    const [shell = "", ...more] = positionals;
    const script = scripts.get(shell);
    if (more.length === 0 && shell === "models") return models(io);
    if (script === undefined || more.length > 0) {
      const usage = `Usage: croft completion ${[...scripts.keys()].join("|")}`;
      throw new UsageError("E_ARGUMENTS", "A script is for one shell.", usage);
    }
    io.out.write(script(commandSpecs(helps())));
    return 0;
  };
}

/** Those that are known by name: of the catalogue, of the configuration, and the one that needs no service. */
async function models(io: Io): Promise<number> {
  const root = projectRoot({ asked: undefined, cwd: currentFolder(), home: io.environment.home });
  const { settings } = await loadSettings({ root, environment: io.environment });
  for (const name of new Set([...settings.models.keys(), ...modelIds(), "offline"]))
    io.out.write(`${escapeLine(name)}\n`);
  return 0;
}
