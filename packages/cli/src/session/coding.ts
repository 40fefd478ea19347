/** What the commands that change files and run programs share: their options, the gate, and where programs run. */

import {
  codeGate,
  messageOf,
  parseHost,
  type Ask,
  type CodeGateOptions,
  loadToolset,
  presetOf,
  type Past,
  type ToolsetName,
  type Work,
  type CommandOptions,
  type Gate,
  type TurnOptions,
  type VerifyOptions,
} from "@croft/harness";
import type { Arguments } from "../arguments.ts";
import { approvalsOf } from "../config/approvals.ts";
import { commandPlaces } from "../config/command-places.ts";
import { commandRulesOf, type Settings } from "../config/settings.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";
import { UsageError } from "../usage.ts";
import { askerOf } from "./asker.ts";
import { undoIfAny } from "./open-undo.ts";

export const codingOptions = {
  yes: { type: "boolean", short: "y" },
  "allow-network": { type: "string", multiple: true },
  "dangerously-no-sandbox": { type: "boolean" },
  verify: { type: "string" },
  "no-verify": { type: "boolean" },
  tools: { type: "string" },
} as const;

type Values = Arguments<typeof codingOptions>["values"];

/** What a person has said yes to beforehand. */
export type Grants = {
  /** Ordinary changes, and commands that no rule knows while a sandbox holds them. */
  yes: boolean;
  /** Hosts that commands may reach unasked. */
  hosts: readonly string[];
  /** Whether commands run in a sandbox. */
  sandbox: boolean;
  /** The command that checks the project; false: it is not checked. Undefined: as the settings have it. */
  verify: string | false | undefined;
};

/** Throws UsageError E_ARGUMENTS for what names no host, or no command. */
export function grantsOf(values: Values): Grants {
  const hosts = (values["allow-network"] ?? []).flatMap((list) => list.split(",")).map((host) => host.trim());
  for (const host of hosts) assertHost(host);
  if (values.verify?.trim() === "") throw nothingToRun();
  return {
    yes: values.yes === true,
    hosts,
    sandbox: values["dangerously-no-sandbox"] !== true,
    verify: values["no-verify"] === true ? false : values.verify,
  };
}

type CodingParts = {
  settings: Settings;
  tools: ToolsetName;
  grants: Grants;
  gate: Gate;
  /** Whether the person only wants a plan, asked about each action anew. */
  planning?: (() => boolean) | undefined;
  /** Most turns of a conversation change nothing: then nothing is said of verification. */
  onlyChanges?: boolean | undefined;
};

/** The tools of a session: those it was begun with, and for a new one those that the person wants. */
export function toolsOf(past: Past | undefined, { tools }: Settings): ToolsetName {
  return past === undefined ? tools.value : presetOf(past);
}

/** Opens a project for tasks. Throws UsageError E_STATE, and as opening it for work does. */
export async function openCoding(
  given: Omit<TurnOptions, "gate">,
  { settings, tools, grants, gate, planning, onlyChanges }: CodingParts,
  io: Io,
): Promise<Work> {
  const undo = undoIfAny(given.root, io);
  const commands = commandOptions(grants, settings, given.root, io);
  const verify = verifyOptions(grants, settings);
  const options = { ...given, undo, commands, verify: verify && { ...verify, onlyChanges }, gate, planning };
  const toolset = await loadToolset(tools);
  return toolset.openWork(options);
}

/** Undefined: nothing is verified. */
function verifyOptions({ verify }: Grants, settings: Settings): VerifyOptions | undefined {
  const chosen = verify ?? settings.verify.value;
  if (chosen === false) return undefined;
  return chosen === true || chosen.trim() === "" ? {} : { command: chosen };
}

function nothingToRun(): UsageError {
  return new UsageError(
    "E_ARGUMENTS",
    "--verify has no command.",
    'Name one: --verify "npm test". --no-verify: not at all.',
  );
}

function assertHost(host: string): void {
  try {
    parseHost(host);
  } catch (cause) {
    const remedy = "Name hosts exactly: --allow-network registry.npmjs.org,example.com:8443";
    throw new UsageError("E_ARGUMENTS", messageOf(cause), remedy, cause);
  }
}

/** What the gate heeds of what was said beforehand. */
type GateGrants = Pick<Grants, "hosts" | "sandbox"> & Pick<CodeGateOptions, "yes">;

/** Asks the person at the terminal, if there is one. `root`: a real path. */
export function codingGate(
  { yes, hosts, sandbox }: GateGrants,
  root: string,
  io: Io,
  ask: Ask | undefined = askerOf(io),
): Gate {
  const approvals = approvalsOf(io.environment.stateHome, root, (why) =>
    io.err.write(`Kept for this run only: ${escapeLine(why)}\n`),
  );
  return codeGate({ ask, yes, hosts, approvals, unconfined: !sandbox });
}

/** Throws UsageError E_STATE. */
export function commandOptions({ sandbox }: Grants, settings: Settings, root: string, io: Io): CommandOptions {
  const { environment, signal } = io;
  const user = environment.all();
  return { ...commandPlaces(environment, root), user, rules: commandRulesOf(settings), sandbox, signal };
}
