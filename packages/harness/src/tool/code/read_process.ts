/** The tool that reads what a started process prints. */

import { z } from "zod";
import type { Running } from "../../process/runner.ts";
import { defineTool, textResult, type Tool } from "../tool.ts";
import { runnerOf } from "./command.ts";
import { text, wholeNumber } from "./input.ts";
import { processResult, processWith } from "./process.ts";
import description from "./read_process.md";

const input = () =>
  z.strictObject({
    id: text().optional(),
    wait_seconds: wholeNumber(0, 60).default(0).describe("How long to wait, at most until it ends"),
  });

/** `process-1 is running` or how it ended, then its new output. Throws E_NO_PROCESS. */
export const readProcess: Tool = defineTool({
  name: "read_process",
  description,
  input,
  effect: "execute", // what was read is gone: made twice, or beside another, it is not the same
  async run({ id, wait_seconds: seconds }, context) {
    const runner = runnerOf(context);
    if (id === undefined) return textResult(runner.running().map(lineOf).join("\n") || "No process has been started.");
    const running = processWith(id, runner);
    if (seconds > 0) await running.wait(seconds * 1_000, context.signal);
    return processResult(running, context);
  },
});

function lineOf({ id, command, ended }: Running): string {
  return `${id}: ${JSON.stringify(command)} ${ended === undefined ? "is running" : "has ended"}`;
}
