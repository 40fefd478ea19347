/** The tool `bash` as Anthropic defines it: a shell that stays. To be offered only where the runner has an enclosure. */

import { z } from "zod";
import { asFailure, Failure } from "../../error.ts";
import { changeIn, newShell, type ShellState } from "../../gate/shell-state.ts";
import type { Ended } from "../../process/runner.ts";
import { showPath } from "../../workspace/text/show-path.ts";
import { words } from "../../word-list.ts";
import { endResult, runnerOf } from "../code/command.ts";
import { isGitRefused } from "../code/hints.ts";
import { flag, text } from "../code/input.ts";
import { defineTool, textResult, type Tool, type ToolContext, type ToolResult } from "../tool.ts";
import description from "./bash.md";

/** Milliseconds that a call may take. */
const usualTimeoutMs = 120_000;

const input = z
  .strictObject({
    command: text().min(1, "must not be empty").max(20_000, "must have at most 20000 characters").optional(),
    restart: flag().optional().describe("A new shell"),
  })
  .refine(({ command, restart }) => command !== undefined || restart === true, {
    path: ["command"],
    error: "must be given unless restart is true",
  });

/**
 * A tool with a shell of its own. Calls run one behind the other; `restart` waits for none of them, but ends what runs
 * and what waits (E_RESTARTED). Throws as Runner besides.
 */
export function createBash(timeoutMs: number = usualTimeoutMs): Tool {
  /** Undefined: nothing has been run in it. */
  let shell: ShellState | undefined;
  let life = new AbortController();
  let last: Promise<unknown> = Promise.resolve();

  async function restart(): Promise<void> {
    life.abort(new Failure("E_RESTARTED", "The shell was restarted meanwhile, and this was ended."));
    life = new AbortController();
    await last;
    shell = newShell;
  }

  async function run(command: string, context: ToolContext): Promise<ToolResult> {
    const begun = shell ?? newShell;
    const { progress = () => undefined, signal, outputs } = context;
    const line = { command, cwd: begun.folder, timeoutMs, shell: begun };
    try {
      const ended = await runnerOf(context).run(line, progress, signal);
      const isFirst = shell === undefined ? [isNew] : [];
      const notices = [...isFirst, ...notesOn(ended, begun), ...gitNote(ended, begun), ...ended.notices];
      shell = ended.timedOut ? begun : (ended.shell ?? newShell);
      return endResult({ ...ended, notices }, { outputs, timeoutMs });
    } catch (thrown) {
      if (!lost.has(asFailure(thrown).code) || begun.folder === ".") throw thrown;
      shell = { ...begun, folder: "." };
      throw folderLost(begun.folder, thrown);
    }
  }

  return defineTool({
    name: "bash",
    description,
    wire: { type: "bash_20250124" },
    input,
    effect: "execute",
    async run({ command, restart: isRestart }, context) {
      if (isRestart === true) await restart();
      if (command === undefined) return textResult("A new shell, in the project's folder.");
      const signal = AbortSignal.any([context.signal, life.signal]);
      const result = last.then(async () => {
        signal.throwIfAborted();
        return run(command, { ...context, signal });
      });
      last = result.catch(() => undefined);
      return result;
    },
  });
}

const isNew = "This is a new shell.";

/** What has become of the shell, where that is not what it was. */
function notesOn({ timedOut, shell }: Ended, begun: ShellState): string[] {
  if (timedOut) return ["The shell is as it was before this call."];
  if (shell === undefined)
    return ["The shell has ended with this; the next call gets a new one, in the project's folder."];
  const [before, now] = [begun, shell].map(({ folder, elsewhere }) => elsewhere ?? folder);
  if (now === undefined || now === before) return [];
  return [`The shell is now in ${now === "." ? "the project's folder" : showPath(now)}.`];
}

/** Whoever reads that git has to be called alone would call it so again and again. */
function gitNote({ code, output }: Ended, begun: ShellState): string[] {
  const change = changeIn(begun);
  if (code === 0 || change === undefined || !isGitRefused(output.text)) return [];
  return [`In this shell ${change}, so git may not write to .git in it: restart it first.`];
}

/** What looking for its folder fails with, before anything is run: a line can leave any text for one in PWD. */
const lost: ReadonlySet<string> = new Set(
  words`E_NOT_FOUND E_NOT_FOLDER E_OUTSIDE_ROOT E_DENIED E_UNREADABLE E_UNAVAILABLE
  E_BAD_PATH E_PATH_TOO_LONG E_HOME_PATH E_DRIVE_PATH E_NETWORK_PATH E_DEVICE_PATH`,
);

function folderLost(folder: string, cause: unknown): Failure {
  return new Failure("E_NOT_FOUND", `${showPath(folder)}, where the shell was, is gone, or no place to run commands.`, {
    cause,
    remedy: "Nothing was run. The shell is in the project's folder now: make the call again.",
  });
}
