/** The tool that runs a program. */

import { z } from "zod";
import { defineTool, type Tool } from "../tool.ts";
import { argv, place, runToResult, timeout } from "./command.ts";
import description from "./run_command.md";

const input = () =>
  z.strictObject({
    argv: argv().describe('Program and arguments, such as ["npm", "test"]'),
    timeout_seconds: timeout(),
    ...place(),
  });

/** `exit code n`, `timed out after n s; process tree killed` or `ended by signal X`; then the output. Throws as Runner. */
export const runCommand: Tool = defineTool({
  name: "run_command",
  description,
  input,
  effect: "execute",
  run: ({ argv: command, ...given }, context) => runToResult(command, given, context),
});
