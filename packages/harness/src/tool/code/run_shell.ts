/** The tool that runs a text with bash. To be offered only where the runner has an enclosure. */

import { z } from "zod";
import { defineTool, type Tool } from "../tool.ts";
import { place, runToResult, timeout } from "./command.ts";
import { text } from "./input.ts";
import description from "./run_shell.md";

const input = () =>
  z.strictObject({
    command: text().min(1, "must not be empty").max(20_000, "must have at most 20000 characters"),
    timeout_seconds: timeout(),
    ...place(),
  });

/** As run_command. */
export const runShell: Tool = defineTool({
  name: "run_shell",
  description,
  input,
  effect: "execute",
  run: ({ command, ...given }, context) => runToResult(command, given, context),
});
