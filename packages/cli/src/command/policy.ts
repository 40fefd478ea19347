/** `croft policy`: what would be decided about a path or a command, and the commands that are not asked about again. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Approval } from "@croft/harness";
import { parseArguments } from "../arguments.ts";
import { forgetApproval, nameOf, savedApprovals } from "../config/approvals.ts";
import { loadSettings } from "../config/load.ts";
import { ownRules } from "../config/own-places.ts";
import { chooseRoot, currentFolder } from "../config/root.ts";
import { rulesOf } from "../config/settings.ts";
import { explainCommand, explainPath } from "../explain/explain.ts";
import type { Io } from "../io.ts";
import { jsonLine } from "../ui/json.ts";
import { approvalLines, commandLines, pathLines } from "../ui/policy.ts";
import { UsageError } from "../usage.ts";

const options = {
  dir: { type: "string", short: "C" },
  json: { type: "boolean" },
  "no-project-config": { type: "boolean" },
} as const;

/** Lists what was approved for good (no word), forgets one of it, or explains. The exit code. Throws UsageError. */
export async function policy(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("policy", args, options);
  const [action, ...words] = positionals;
  const json = values.json === true;
  const root = chooseRoot({ asked: values.dir, cwd: currentFolder(), home: io.environment.home });
  if (action === undefined) return list({ root, json }, io);
  if (action === "forget" && words.length === 1) return forget(root, words[0] ?? "", io);
  if (action === "explain" && words.length > 0) {
    return explain({ root, own: values["no-project-config"] !== true, words, json }, io);
  }
  throw new UsageError("E_ARGUMENTS", misused(action, words), "See croft policy --help.");
}

function misused(action: string, words: readonly string[]): string {
  if (action === "explain") return "croft policy explain needs a path or a command.";
  if (action === "forget") return "croft policy forget takes the name of one command.";
  return `There is no croft policy ${[action, ...words].join(" ")}.`;
}

function list({ root, json }: Pick<Asked, "root" | "json">, io: Io): number {
  const approvals = savedApprovals(io.environment.stateHome, root);
  for (const approval of approvals)
    io.out.write(json ? jsonLine(named(approval)) : linesOf(approvalLines(named(approval))));
  if (approvals.length === 0 && !json) io.err.write("No command of this project was approved for good.\n");
  return 0;
}

function named(approval: Approval): Approval & { name: string } {
  return { name: nameOf(approval), ...approval };
}

function forget(root: string, name: string, io: Io): number {
  if (forgetApproval(io.environment.stateHome, root, name)) {
    io.err.write("Forgotten: the next time it is asked about again.\n");
    return 0;
  }
  throw new UsageError("E_NOT_APPROVED", `There is no ${JSON.stringify(name)}.`, "See croft policy for their names.");
}

type Asked = {
  root: string;
  /** Whether the project's own configuration counts. */
  own: boolean;
  words: readonly string[];
  json: boolean;
};

async function explain({ root, own, words, json }: Asked, io: Io): Promise<number> {
  const { settings } = await loadSettings({ root: own ? root : undefined, environment: io.environment });
  const [first = "", ...more] = words;
  if (more.length === 0 && isPath(first, root)) {
    const rules = [...rulesOf(settings), ...ownRules(root, io.environment)];
    const explained = await explainPath(first, { root, rules }, io.signal);
    io.out.write(json ? jsonLine({ type: "path", ...explained }) : linesOf(pathLines(explained)));
    return 0;
  }
  const command = more.length === 0 && /\s/.test(first) ? first : words;
  const explained = await explainCommand(command, settings, io.signal);
  io.out.write(json ? jsonLine({ type: "command", ...explained }) : linesOf(commandLines(explained)));
  return 0;
}

/** A word that is there, or looks like a path; any other names a program. */
function isPath(word: string, root: string): boolean {
  return !/\s/.test(word) && (/[/.~\\]/.test(word) || existsSync(join(root, word)));
}

function linesOf(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}
