/** The tool that starts a server or watcher. */

import { z } from "zod";
import { defineTool, type Tool } from "../tool.ts";
import { argv, place, runnerOf } from "./command.ts";
import { wholeNumber } from "./input.ts";
import { processResult } from "./process.ts";
import description from "./start_process.md";

const input = () =>
  z.strictObject({
    argv: argv().describe("Program and arguments"),
    wait_seconds: wholeNumber(0, 60).default(3).describe("How long to wait for its first output"),
    ...place(),
  });

/** `process-1 is running`, or how it ended at once; then what it printed meanwhile. Throws as Runner. */
export const startProcess: Tool = defineTool({
  name: "start_process",
  description,
  input,
  effect: "execute",
  async run({ argv: command, wait_seconds: seconds, cwd = ".", hosts, outside_sandbox: outside }, context) {
    const { signal } = context;
    const started = await runnerOf(context).start({ command, cwd, hosts, outside }, signal);
    await started.wait(seconds * 1_000, signal);
    return processResult(started, context);
  },
});
