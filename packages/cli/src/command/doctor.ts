/**
 * `croft doctor`: what works here and what does not, each with the next step. It leaves nothing behind and spends nothing.
 */

import { asFailure } from "@croft/harness";
import { parseArguments, type Arguments } from "../arguments.ts";
import { loadSettings, type Loaded } from "../config/load.ts";
import { chooseRoot, currentFolder, isOwn } from "../config/root.ts";
import { commandLine } from "../config/settings.ts";
import { fail, ok, warn, type Check } from "../doctor/check.ts";
import { checkFolders } from "../doctor/folders.ts";
import { checkGit, checkNode, checkRipgrep } from "../doctor/programs.ts";
import { checkSandbox } from "../doctor/sandbox.ts";
import { checkModel } from "../doctor/service.ts";
import { exitCodes, exitError } from "../exit.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";
import { jsonLine } from "../ui/json.ts";
import { UsageError } from "../usage.ts";

const options = {
  dir: { type: "string", short: "C" },
  model: { type: "string" },
  json: { type: "boolean" },
} as const;

type Values = Arguments<typeof options>["values"];

/** Runs every check. The exit code: 0 unless something does not work. */
export async function doctor(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("doctor", args, options);
  if (positionals.length > 0)
    throw new UsageError("E_ARGUMENTS", "croft doctor takes no words.", "See croft doctor --help.");
  const programs = Promise.all([checkRipgrep(io), checkGit(io), checkSandbox(io)]);
  const configured = await checkConfigured(values, io);
  const checks = [checkNode(), ...(await programs), ...configured, ...checkFolders(io.environment), checkTerminal(io)];
  if (io.signal.aborted) return exitCodes.cancelled;
  const works = checks.every(({ state }) => state !== "fail");
  if (values.json === true) io.out.write(jsonLine({ ok: works, checks }));
  else for (const check of checks) io.out.write(linesOf(check));
  return works ? 0 : exitError;
}

/** The project, its configuration, and the model it comes to. */
async function checkConfigured({ dir, model }: Values, io: Io): Promise<Check[]> {
  const { environment } = io;
  let root: string | undefined;
  let project: Check;
  try {
    root = chooseRoot({ asked: dir, cwd: currentFolder(), home: environment.home });
    project = projectCheck(root);
  } catch (error) {
    const { message, remedy } = asFailure(error);
    project = warn("project", message, remedy);
  }
  try {
    const loaded = await loadSettings({ root, environment, flags: { config: { model }, from: () => commandLine } });
    return [project, configCheck(loaded), await checkModel(loaded.settings, io)];
  } catch (error) {
    const { message, remedy } = asFailure(error);
    return [project, fail("config", message, remedy), warn("model", "Not looked at until the configuration is right.")];
  }
}

function projectCheck(root: string): Check {
  if (isOwn(root)) return ok("project", `${root}.`);
  const says = `${root} belongs to another user: programs in the sandbox can do no more in it than any user may.`;
  return warn("project", says, "Run croft as that user, or in a copy that is yours.");
}

function configCheck({ widening }: Loaded): Check {
  if (widening === undefined || widening.trusted) return ok("config", "What there is can be read.");
  return warn("config", "The project asks for more than it gets without your consent.", "See croft config trust.");
}

/** How output will look. */
function checkTerminal({ environment }: Io): Check {
  const { isTTY, columns } = process.stdout;
  const colour = process.stderr.isTTY && !environment.noColor ? "colour" : "no colour";
  const size = isTTY ? `a terminal of ${columns} columns` : "no terminal";
  return ok("terminal", `stdout is ${size}; TERM=${environment.variable("TERM") ?? ""}, ${colour}.`);
}

function linesOf({ name, state, says, remedy }: Check): string {
  const line = `${state.padEnd(4)} ${name.padEnd(8)} ${escapeLine(says)}\n`;
  return remedy === undefined ? line : `${line}${" ".repeat(14)}${escapeLine(remedy)}\n`;
}
