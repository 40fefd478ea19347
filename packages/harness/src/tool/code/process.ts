/** What the tools about started processes share. */

import { Failure } from "../../error.ts";
import type { Runner, Running } from "../../process/runner.ts";
import { textResult, type ToolContext, type ToolResult } from "../tool.ts";
import { endResult, outputText } from "./command.ts";

/** The one with this id. Throws E_NO_PROCESS, which names those there are. */
export function processWith(id: string, runner: Runner): Running {
  const found = runner.running().find((one) => one.id === id);
  if (found !== undefined) return found;
  const ids = runner.running().map((one) => one.id);
  throw new Failure("E_NO_PROCESS", `There is no process ${JSON.stringify(id)}.`, {
    remedy: ids.length === 0 ? "None has been started." : `There are: ${ids.join(", ")}.`,
  });
}

/** Whether it runs, and what it printed since it was last read. */
export function processResult(running: Running, { outputs }: ToolContext): ToolResult {
  const output = running.read();
  if (running.ended !== undefined) return endResult(running.ended, { outputs, output });
  return textResult(`${running.id} is running\n${output === "" ? "(no new output)" : outputText(output)}`);
}
