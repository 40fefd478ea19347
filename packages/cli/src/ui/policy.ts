/** Decisions as they would be made, and commands that were approved for good, in lines for a person. */

import type { Approval } from "@croft/harness";
import type { ExplainedCommand, ExplainedPath, Outcomes } from "../explain/explain.ts";
import { commandText } from "./command-text.ts";
import { escapeLine } from "./escape.ts";

export function pathLines({ path, asked, read, write, sandbox }: ExplainedPath): string[] {
  const can = sandbox.write
    ? "can be read and written"
    : sandbox.read
      ? "can be read"
      : "can be neither read nor written, unless git has it just so";
  return [
    escapeLine(path ?? asked),
    `  read     ${outcomes(read)}: ${escapeLine(read.rule)}`,
    `  write    ${outcomes(write)}: ${escapeLine(write.rule)}`,
    `  sandbox  ${path === undefined ? "is not there, but for what the system needs" : can}`,
  ];
}

export function commandLines({ command, verdict, parts, sandbox, noSandbox }: ExplainedCommand): string[] {
  return [
    escapeLine(commandText(command)),
    ...parts.map(({ text, decision, rule }) => `  ${escapeLine(text)}: ${decision}, ${escapeLine(rule)}`),
    `  in the sandbox     ${outcomes(sandbox)}${verdict.profile === "git" ? " (may write to .git)" : ""}`,
    `  without a sandbox  ${outcomes(noSandbox)}`,
  ];
}

/** `3f9a1c2e  git push origin main`, then what the approval is bound to. */
export function approvalLines(approval: Approval & { name: string }): string[] {
  const { name, command, cwd, enclosed, outside, hosts, programs } = approval;
  const bound = [
    ...(cwd === "." ? [] : [`in ${cwd}`]),
    ...(enclosed ? [] : [outside === undefined ? "without a sandbox" : `outside the sandbox: ${outside}`]),
    ...(hosts.length === 0 ? [] : [`reaching ${hosts.join(", ")}`]),
    ...programs.map(({ path, hash }) => `with ${path} as it was (${hash.slice(0, 12)})`),
  ];
  return [`${name}  ${escapeLine(commandText(command))}`, ...bound.map((text) => `          ${escapeLine(text)}`)];
}

function outcomes({ usual, yes }: Outcomes): string {
  return usual === yes ? usual : `${usual}, with --yes ${yes}`;
}
