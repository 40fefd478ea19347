/** The tool that ends a started process. */

import { z } from "zod";
import { defineTool, type Tool } from "../tool.ts";
import { endResult, runnerOf } from "./command.ts";
import { text } from "./input.ts";
import { processWith } from "./process.ts";
import description from "./stop_process.md";

const input = () => z.strictObject({ id: text() });

/** How it ended, then its output since it was last read. Throws E_NO_PROCESS. */
export const stopProcess: Tool = defineTool({
  name: "stop_process",
  description,
  input,
  effect: "execute",
  async run({ id }, context) {
    const running = processWith(id, runnerOf(context));
    const ended = await running.stop();
    return endResult(ended, { outputs: context.outputs, output: running.read() });
  },
});
