/** What the tools that run programs share: pieces of their input, and how an end is told. */

import { z } from "zod";
import { Failure } from "../../error.ts";
import type { CommandLine } from "../../gate/command.ts";
import { outputId } from "../../process/outputs.ts";
import type { Ended, Runner } from "../../process/runner.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { hintsIn } from "./hints.ts";
import { text, wholeNumber } from "./input.ts";

/** The program and its arguments. */
export function argv(): z.ZodArray<z.ZodString> {
  return z.array(text(), "must be a list of strings").min(1, "must name a program");
}

/** Where, and what beyond the sandbox, a command wants to run. */
export function place(): {
  cwd: z.ZodOptional<z.ZodString>;
  hosts: z.ZodOptional<z.ZodArray<z.ZodString>>;
  outside_sandbox: z.ZodOptional<z.ZodString>;
} {
  return {
    cwd: text().optional().describe("Folder to run in"),
    hosts: z
      .array(text().refine(isHost, "must be host names"), "must be a list of host names")
      .max(20, "must be at most 20")
      .optional()
      .describe("Exact hosts it reaches"),
    outside_sandbox: text().min(1, "must be a reason").optional().describe("Why it cannot work in the sandbox"),
  };
}

/** Checked, but no part of the schema, which is sent with every request. */
function isHost(name: string): boolean {
  return /^[\w.-]+(:\d{1,5})?$/.test(name);
}

/** Seconds after which a command is ended. */
export function timeout(): z.ZodDefault<z.ZodInt> {
  return wholeNumber(1, 600).default(120);
}

export type Given = {
  timeout_seconds: number;
  cwd?: string | undefined;
  hosts?: readonly string[] | undefined;
  outside_sandbox?: string | undefined;
};

/** Runs it to its end and tells how that was. Throws as Runner. */
export async function runToResult(command: CommandLine, given: Given, context: ToolContext): Promise<ToolResult> {
  const { timeout_seconds: seconds, cwd = ".", hosts, outside_sandbox: outside } = given;
  const { progress = () => undefined, signal } = context;
  const timeoutMs = seconds * 1_000;
  const ended = await runnerOf(context).run({ command, cwd, timeoutMs, hosts, outside }, progress, signal);
  return endResult(ended, { outputs: context.outputs, timeoutMs });
}

/** The door to programs. Throws E_NO_RUNNER where commands are not run. */
export function runnerOf({ runner }: ToolContext): Runner {
  if (runner !== undefined) return runner;
  throw new Failure("E_NO_RUNNER", "Programs are not run here.", { remedy: "Go on without it, and say so." });
}

/** `output`: what is shown of it, all unless given. */
type Told = Pick<ToolContext, "outputs"> & { timeoutMs?: number | undefined; output?: string | undefined };

/** How it ended, its output, and what is to be told beside. */
export function endResult(ended: Ended, { outputs, timeoutMs, output = ended.output.text }: Told): ToolResult {
  const { left, notices } = ended;
  const { bytes, file } = ended.output;
  const notes = [
    ...(ended.timedOut && timeoutMs !== undefined ? [goesOn] : []),
    ...(file === undefined || outputs === undefined
      ? []
      : [`The whole output, ${bytes} bytes, is kept: ${outputs.readOn(outputId(file))}.`]),
    ...(left === 0 ? [] : [`${left} ${left === 1 ? "process" : "processes"} left behind, and ended.`]),
    ...(ended.code === 0 ? [] : hintsIn(output)),
    ...notices,
  ];
  const lines = [howItEnded(ended, timeoutMs), outputText(output), ...notes.map((note) => `(${note})`)];
  const { code, signal, timedOut } = ended;
  return {
    content: [{ type: "text", text: lines.join("\n") }],
    details: { code, signal, timedOut, left, bytes, file, notices },
  };
}

const goesOn = "What is meant to go on, such as a server or a watcher, is started with start_process.";

function howItEnded({ code, signal, timedOut }: Ended, timeoutMs: number | undefined): string {
  if (timedOut && timeoutMs !== undefined) return `timed out after ${timeoutMs / 1_000} s; process tree killed`;
  return signal === null ? `exit code ${code ?? "unknown"}` : `ended by signal ${signal}`;
}

/** Its own last line feed is not shown: what follows stands in a line of its own. */
export function outputText(output: string): string {
  return output === "" ? "(no output)" : output.replace(/\n$/, "");
}
