/** What every assembly stands on: a fence with a policy, the gate in front of it, and the tools that hold its doors. */

import { runTool } from "../agent/run-tools.ts";
import type { Outputs } from "../artifact/outputs.ts";
import { asFailure, Failure } from "../error.ts";
import type { Event } from "../event.ts";
import type { Action } from "../gate/action.ts";
import { requireGate } from "../gate/decided.ts";
import type { Gate } from "../gate/gate.ts";
import type { ToolResultBlock } from "../message.ts";
import type { Policy } from "../policy/policy.ts";
import type { Runner } from "../process/runner.ts";
import type { Rule } from "../policy/rules.ts";
import type { Tool } from "../tool/tool.ts";
import type { BeforeImages } from "../workspace/change.ts";
import type { Fence } from "../workspace/fence.ts";
import { openFence } from "../workspace/fence/on-disk.ts";
import { hashesThrough, type HashNow } from "../workspace/hashes.ts";
import type { GrowingLedger } from "../workspace/ledger.ts";
import { linesThrough, type ReadLines } from "../workspace/lines.ts";
import { memoryFilesThrough, type MemoryFiles } from "../workspace/memory/memory-files.ts";
import type { SearchBackend } from "../workspace/search.ts";
import { ripgrep } from "../workspace/search/ripgrep.ts";
import { gitToplevel } from "../workspace/walk/repository.ts";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";
import { hidingSecrets, noHiding, type Hiding, type SecretOptions } from "./hiding.ts";
import { loggedAction } from "./logged-action.ts";

export type DoorOptions = {
  /** The folder to stay below. Throws Failure if it is none. */
  root: string;
  /** Who decides what the policy leaves open. There is no default: `policyGate()` refuses where nobody can be asked. */
  gate: Gate;
  /** Put behind the rules of the assembly's policy: the last rule that matches a path decides. */
  rules?: readonly Rule[] | undefined;
  /** Absent, denied and outside read the same to the model. */
  strict?: boolean | undefined;
  /**
   * The user's home folder, as a rule: memory files are looked for below it only. A home folder that is a repository
   * must not open what lies in it to the memory files of some folder there.
   */
  ceiling?: string | undefined;
  /** PATH of the user, for a ripgrep of theirs where the bundled one is missing. */
  searchPath?: string | undefined;
  /** Secrets in text are hidden from the model, and put back where it changes their file; false: they are not. */
  secrets?: SecretOptions | false | undefined;
  /** Tools of your own, behind those of the assembly; none of them may have the name of another. */
  tools?: readonly Tool[] | undefined;
  /** Hears of every decision about a resolved place, and of every refusal, and how much was hidden. */
  emit?: ((event: Event) => void) | undefined;
};

/** What an assembly brings itself. */
export type DoorParts = {
  policy: Policy;
  tools: readonly Tool[];
  ledger: GrowingLedger;
  /** Keeps what is about to be replaced. */
  before?: BeforeImages | undefined;
  /** Where long outputs and results are kept, and what they are read with. */
  outputs?: Outputs | undefined;
  /** Default: ripgrep. */
  search?: SearchBackend | undefined;
  /** Opens what runs programs; the doors close it. */
  openRunner?: ((parts: RunnerParts) => Runner) | undefined;
};

/** What a runner gets of the doors: the project's files, whom to ask, and what its output goes through. */
export type RunnerParts = { fence: Fence; gate: Gate; strict: boolean | undefined; filter: Hiding["filter"] };

/** Tools behind a fence and a gate, for calls one by one and for turns. Whoever opens them closes them. */
export type Doors = {
  /** The real path of the root. */
  root: string;
  tools: readonly Tool[];
  workspace: Workspace;
  ledger: GrowingLedger;
  outputs?: Outputs | undefined;
  /** Absent where programs are not run. */
  runner?: Runner | undefined;
  lines: ReadLines;
  hashNow: HashNow;
  /** Nothing is looked for before it is asked for. */
  memory: MemoryFiles;
  /** What the doors hide with: for texts that come past them. */
  hiding: Hiding;
  /** Runs one tool exactly as a model would. Never throws: a failure is a result that is not `ok`. */
  call(name: string, input: unknown, signal: AbortSignal): Promise<CallResult>;
  /** Ends what still runs, and lets the root go. */
  close(): Promise<void>;
};

/** What a model would be given. Not `ok`: the call was refused or failed, and the text says so. */
export type CallResult = { ok: boolean; content: ToolResultBlock["content"] };

/** Opens the doors. Whoever opens them closes them. Throws Failure, E_NO_GATE and E_TOOL_NAME too. */
export function openDoors(options: DoorOptions, parts: DoorParts): Doors {
  requireGate(options.gate);
  const { policy, ledger, before, outputs } = parts;
  const { root, strict, ceiling, searchPath = "", secrets = {}, emit = () => {} } = options;
  const { search = ripgrep(searchPath) } = parts;
  const all = [...parts.tools, ...(options.tools ?? [])];
  requireOwnNames(all);
  const hiding = secrets === false ? noHiding : hidingSecrets(secrets, emit);
  const fence = openFence(root, policy);
  const gate = reported(options.gate, hiding, emit);
  const workspace = hiding.workspace(openWorkspace({ fence, gate, search, before, strict }));
  const opened = parts.openRunner?.({ fence, gate, strict, filter: hiding.filter });
  const runner = opened && hiding.runner(opened);
  const tools = all.map((tool) => hiding.tool(tool));
  return {
    root: fence.root,
    tools,
    workspace,
    ledger,
    outputs,
    runner,
    lines: linesThrough(fence, (text, path) => hiding.text(text, path)),
    hashNow: hashesThrough(fence),
    memory: memoryFilesThrough(fence, gitToplevel(fence.root, ceiling)),
    hiding,
    async call(name, input, signal) {
      try {
        const context = { tools, workspace, ledger, runner, outputs };
        const { content } = await runTool({ name, input }, context, signal);
        return { ok: true, content };
      } catch (thrown) {
        return { ok: false, content: [{ type: "text", text: asFailure(thrown).narration }] };
      }
    },
    async close() {
      await runner?.close();
      fence.close();
    },
  };
}

/** A call names its tool, so each needs a name of its own. */
function requireOwnNames(tools: readonly Tool[]): void {
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new Failure("E_TOOL_NAME", `There are two tools called ${twice}.`, { remedy: "Give yours another name." });
}

function reported(gate: Gate, hiding: Hiding, emit: (event: Event) => void): Gate {
  return async (action, signal) => {
    const verdict = await gate(action, signal);
    if (isResolved(action) || !verdict.allowed) {
      // Hidden first: what is cut through is no longer known for a secret.
      emit({ type: "decision", action: loggedAction(await hiding.action(action)), verdict });
    }
    return verdict;
  };
}

function isResolved(action: Action): boolean {
  if (action.kind === "run") return true;
  if (action.kind === "write") return action.changes.some(({ path }) => path !== undefined);
  return action.path !== undefined;
}
