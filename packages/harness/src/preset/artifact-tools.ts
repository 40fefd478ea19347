/** The artifact tools on a project: the doors, what is open and staged, and the gate that is asked. */

import { createArtifacts } from "../artifact/artifacts.ts";
import { ownFolder } from "../artifact/own-folder.ts";
import { keptOutputs } from "../artifact/outputs.ts";
import { createStaging, type Staging } from "../artifact/staging.ts";
import { decidedOnly, requireGate } from "../gate/decided.ts";
import { passGate } from "../gate/pass.ts";
import type { Policy } from "../policy/policy.ts";
import { writesWithin } from "../policy/writes-within.ts";
import { claimOutputs } from "../session/outputs.ts";
import { narratedTool } from "../tool/artifact/define.ts";
import type { ArtifactToolParts } from "../tool/artifact/parts.ts";
import { artifactTools } from "../tool/artifact/tools.ts";
import { readProcess } from "../tool/code/read_process.ts";
import { stopProcess } from "../tool/code/stop_process.ts";
import { withRun, type Tool } from "../tool/tool.ts";
import type { BeforeImages } from "../workspace/change.ts";
import { openFence } from "../workspace/fence/on-disk.ts";
import { createLedger } from "../workspace/ledger.ts";
import type { SearchBackend } from "../workspace/search.ts";
import { ripgrep } from "../workspace/search/ripgrep.ts";
import { runningTools } from "./code-tools.ts";
import type { CommandOptions, Commands } from "./commands.ts";
import { openDoors, type DoorOptions, type Doors } from "./doors.ts";
import { projectPolicy } from "./project-policy.ts";
import type { TurnKeeper } from "./undoing.ts";

/**
 * standard: the policy decides, and asks where it is open. strict: every call is a question before any path is looked
 * up, and what is denied reads like what is absent.
 */
export type Trust = "standard" | "strict";

export type ArtifactDoorOptions = Omit<DoorOptions, "strict"> & {
  /** Default: standard. In strict trust a gate must decide each call, as `strictGate` does; what it passes over is refused. */
  trust?: Trust | undefined;
  /** The only folder below the root that may be written, relative to it. Default: wherever the policy allows. */
  writeRoot?: string | undefined;
  /** A folder that nobody else may enter, for long results. Default: a temporary one, gone at the end. */
  outputs?: string | undefined;
  /** Absent: programs are not run. */
  commands?: CommandOptions | undefined;
  /** Default: ripgrep. */
  search?: SearchBackend | undefined;
  /** Names of tools that descriptions may speak of, where not all are offered to the model. Changes nothing else. */
  registered?: readonly string[] | undefined;
  /** Keeps what is about to be replaced. Without it, what is replaced is gone. */
  before?: BeforeImages | undefined;
  /** Keeps what commands change, likewise. */
  keeper?: TurnKeeper | undefined;
  /** Hears that a command changed something, or may have. */
  onChange?: (() => void) | undefined;
  /** What is authored. Default: nothing yet. */
  staging?: Staging | undefined;
};

/** `staging`: what was authored, saved or not. */
export type ArtifactDoors = Doors & { readonly staging: Staging };

/** Opens the doors and the tools. Whoever opens them closes them. Throws Failure: E_NO_GATE, E_BAD_RULE, E_BAD_PATH… */
export async function openArtifactTools(options: ArtifactDoorOptions): Promise<ArtifactDoors> {
  const commands = await artifactCommandsOf(options);
  for (const notice of commands?.notices ?? []) options.emit?.(notice);
  return openArtifactDoors(options, commands);
}

/** Tries the sandbox, where programs are to be run. Throws as `openArtifactTools`. */
export async function artifactCommandsOf(options: ArtifactDoorOptions): Promise<Commands | undefined> {
  const { root, gate, keeper, onChange, commands } = options;
  requireGate(gate);
  const policy = policyOf(options);
  if (commands === undefined) return undefined;
  const fence = openFence(root, policy);
  fence.close();
  const { openCommands } = await import("./commands.ts");
  return await openCommands(commands, { root: fence.root, policy, keeper, onChange });
}

/** `commands`: as `artifactCommandsOf` gives them, for this one use. */
export function openArtifactDoors(options: ArtifactDoorOptions, commands?: Commands): ArtifactDoors {
  const { trust = "standard", searchPath = "", search = ripgrep(searchPath), before } = options;
  const { staging = createStaging() } = options;
  requireGate(options.gate);
  const gate = trust === "strict" ? decidedOnly(options.gate) : options.gate;
  const artifacts = createArtifacts();
  const keeping = keepingOf(options);
  const parts: Omit<ArtifactToolParts, "registered"> = {
    artifacts,
    staging,
    backend: search,
    ask: (asked, signal) => passGate(gate, { kind: "read", asked }, signal),
  };
  const running = commands === undefined ? [] : runningTools(commands).map((tool) => asking(tool, parts));
  const doors = openDoors(
    { ...options, gate, strict: trust === "strict" },
    {
      policy: policyOf(options),
      tools: [...artifactToolset(parts, options.registered), ...running],
      ledger: createLedger(),
      before: commands === undefined ? before : commands.expecting(before),
      openRunner: commands?.open,
      outputs: keptOutputs({ folder: keeping.path, searchPath, readOn }),
      search,
    },
  );
  return {
    ...doors,
    staging,
    async close() {
      artifacts[Symbol.dispose]();
      await doors.close();
      keeping[Symbol.dispose]();
    },
  };
}

/** All artifact tools; what they say of others is limited to `registered`. */
export function artifactToolset(
  parts: Omit<ArtifactToolParts, "registered">,
  registered?: readonly string[],
): readonly Tool[] {
  const all = artifactTools({ ...parts, registered: registered ?? [] });
  return registered === undefined ? artifactTools({ ...parts, registered: all.map(({ name }) => name) }) : all;
}

/** Those about processes that run already knock at no door. */
const doorless: ReadonlySet<string> = new Set([readProcess.name, stopProcess.name]);

function asking(tool: Tool, { ask }: Pick<ArtifactToolParts, "ask">): Tool {
  if (!doorless.has(tool.name)) return narratedTool(tool);
  const asked = withRun(tool, async (input, context) => {
    await ask(tool.name, context.signal);
    return await tool.run(input, context);
  });
  return narratedTool(asked);
}

function readOn(id: string): string {
  return `query it with artifact_grep or artifact_cat, artifact_id ${id}`;
}

function policyOf({ root, rules, writeRoot }: ArtifactDoorOptions): Policy {
  const policy = projectPolicy(rules, root);
  return writeRoot === undefined ? policy : writesWithin(policy, writeRoot);
}

/** Where long results are kept, within bounds; the runner sees to that where there is one. */
function keepingOf({ outputs, commands }: ArtifactDoorOptions): Disposable & { readonly path: string } {
  if (commands !== undefined) return { path: commands.outputs, [Symbol.dispose]() {} };
  if (outputs === undefined) return ownFolder();
  const claim = claimOutputs(outputs);
  return { path: outputs, [Symbol.dispose]: () => claim[Symbol.dispose]() };
}
