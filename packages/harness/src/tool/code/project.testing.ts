/** A project on disk with the tools on it, for tests. */

import { asFailure, Failure } from "../../error.ts";
import { codeGate } from "../../gate/code.ts";
import { policyGate } from "../../gate/rules.ts";
import type { Gate } from "../../gate/gate.ts";
import type { Policy } from "../../policy/policy.ts";
import { codePolicy, readOnlyPolicy } from "../../policy/presets.ts";
import { createLedger, learn, type Ledger, type Shown } from "../../workspace/ledger.ts";
import { openFence } from "../../workspace/fence/on-disk.ts";
import { ripgrep } from "../../workspace/search/ripgrep.ts";
import { plantTree, type Planted } from "../../workspace/tree.testing.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import type { Tool, ToolResult } from "../tool.ts";

export type Answer = { lines: string[]; shown: readonly Shown[] };

export interface Project extends Disposable {
  readonly root: string;
  readonly ledger: Ledger;
  /** The result as the tool gives it. Throws what the tool throws. */
  result(tool: Tool, input?: unknown): Promise<ToolResult>;
  /** The text of a result by lines, and what it says it showed. Throws what the tool throws. */
  call(tool: Tool, input?: unknown): Promise<Answer>;
  /** The narration of the failure; throws if there is none. */
  failure(tool: Tool, input?: unknown): Promise<string>;
}

type Entries = Readonly<Record<string, Planted>>;

/** The rules of ask, nobody to be asked. Disposing removes all of it. */
export function openProject(entries: Entries): Project {
  return opened(entries, readOnlyPolicy(), policyGate());
}

/** The rules of a run, ordinary changes made unasked. */
export function openCodeProject(entries: Entries): Project {
  return opened(entries, codePolicy(), codeGate({ yes: true }));
}

function opened(entries: Entries, policy: Policy, gate: Gate): Project {
  const tree = plantTree(entries);
  const fence = openFence(tree.root, policy);
  const workspace = openWorkspace({ fence, gate, search: ripgrep("") });
  const ledger = createLedger();
  const context = { workspace, ledger, signal: new AbortController().signal };
  const result = async (tool: Tool, input?: unknown): Promise<ToolResult> => {
    const given = await tool.run(tool.parse(input), context);
    learn(ledger, given);
    return given;
  };
  async function call(tool: Tool, input?: unknown): Promise<Answer> {
    const { content, shown = [] } = await result(tool, input);
    const lines = content.flatMap((block) => (block.type === "text" ? block.text.split("\n") : []));
    return { lines, shown };
  }
  return {
    root: tree.root,
    ledger,
    result,
    call,
    async failure(tool, input) {
      try {
        await call(tool, input);
      } catch (thrown) {
        return asFailure(thrown).narration;
      }
      throw new Failure("E_NO_FAILURE", "The call did not fail.");
    },
    [Symbol.dispose]() {
      fence.close();
      tree.remove();
    },
  };
}
