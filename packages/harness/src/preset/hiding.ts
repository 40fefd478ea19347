/** Secrets in text kept from models, logs and screens, at every door of an assembly. */

import { asFailure, Failure } from "../error.ts";
import type { Event } from "../event.ts";
import type { Action } from "../gate/action.ts";
import type { TextFilter } from "../process/output/capture.ts";
import type { Runner } from "../process/runner.ts";
import { hiddenAction } from "../redact/action.ts";
import { lazyRedactor } from "../redact/lazy.ts";
import type { Redactor } from "../redact/redactor.ts";
import { hidingRunner } from "../redact/runner.ts";
import { hidingWorkspace } from "../redact/workspace.ts";
import { withRun, type Tool, type ToolResult } from "../tool/tool.ts";
import { showPath } from "../workspace/text/show-path.ts";
import type { Workspace } from "../workspace/workspace.ts";

export type SecretOptions = {
  /**
   * Gives at least 16 bytes that nobody can guess, the same when a session is resumed; not to be kept where its trace
   * is. Asked when a text is first shown. Default, and where it gives none: random ones.
   */
  salt?: (() => Uint8Array | undefined) | undefined;
};

export interface Hiding {
  workspace(workspace: Workspace): Workspace;
  runner(runner: Runner): Runner;
  /** For the output of commands. */
  readonly filter: (() => Promise<TextFilter>) | undefined;
  /** The tool with whatever came past the doors taken out of its results and failures; how much they hide is told. */
  tool(tool: Tool): Tool;
  /** `path` as `Redactor.hide` has it. */
  text(text: string, path?: string): Promise<string>;
  /** A text that the user gives, under the name that people know it by; how much it hides is told. */
  given(text: string, name: string): Promise<string>;
  /** What is told of an action; who decides it is asked about the action itself. */
  action(action: Action): Promise<Action>;
}

/** Nothing is loaded before the first text is shown. `emit` hears of how much was hidden. */
export function hidingSecrets({ salt = () => undefined }: SecretOptions, emit: (event: Event) => void): Hiding {
  const load = lazyRedactor(salt);

  /** `where`: what people know the text by. `paths`: the files it may come from. */
  function tell(redactor: Redactor, text: string, where: string, paths: readonly string[] = []): void {
    const { count, paths: seen } = redactor.sightings(text);
    if (count === 0) return;
    const [path, ...more] = new Set(paths.filter((one) => seen.has(one)));
    const place = path === undefined ? where : more.length > 0 ? `${more.length + 1} files` : showPath(path);
    emit({
      type: "notice",
      code: "secrets",
      text: `${count} ${count === 1 ? "secret" : "secrets"} hidden in ${place}`,
    });
  }

  return {
    workspace: (workspace) => hidingWorkspace(workspace, load),
    runner: (runner) => hidingRunner(runner, load),
    filter: async () => (await load()).stream(),
    tool: (tool) =>
      withRun(tool, async (input, context) => {
        const { redactor, result } = await hiddenResult(() => tool.run(input, context), load);
        const { content, shown = [], landed = [] } = result;
        const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
        tell(
          redactor,
          text,
          `the result of ${tool.name}`,
          [...shown, ...landed].map(({ path }) => path),
        );
        return result;
      }),
    text: async (text, path) => (await load()).hide(text, path).text,
    async given(text, name) {
      const redactor = await load();
      const hidden = redactor.hide(text).text;
      tell(redactor, hidden, name);
      return hidden;
    },
    async action(action) {
      if (action.kind !== "write" && action.kind !== "run") return action;
      const redactor = await load();
      return hiddenAction(action, (text) => redactor.hide(text).text);
    },
  };
}

/** For those who want to see everything. */
export const noHiding: Hiding = Object.freeze({
  workspace: (workspace: Workspace) => workspace,
  runner: (runner: Runner) => runner,
  filter: undefined,
  tool: (tool: Tool) => tool,
  text: async (text: string) => text,
  given: async (text: string) => text,
  action: async (action: Action) => action,
});

async function hiddenResult(
  run: () => Promise<ToolResult>,
  load: () => Promise<Redactor>,
): Promise<{ redactor: Redactor; result: ToolResult }> {
  try {
    const result = await run();
    const redactor = await load();
    const hide = (text: string): string => redactor.hide(text).text;
    const content = result.content.map((block) =>
      block.type === "text" ? { ...block, text: hide(block.text) } : block,
    );
    const { details } = result;
    return {
      redactor,
      result: { ...result, content, ...(details === undefined ? {} : { details: deeply(details, hide) }) },
    };
  } catch (thrown) {
    throw hiddenFailure(thrown, await load());
  }
}

/** Whatever has nothing to hide is thrown as it is. */
function hiddenFailure(thrown: unknown, redactor: Redactor): unknown {
  const { code, message, remedy } = asFailure(thrown);
  const [said, next] = [message, remedy ?? ""].map((text) => redactor.hide(text).text);
  if (said === message && next === (remedy ?? "")) return thrown;
  return new Failure(code, said ?? "", { remedy: next === "" ? undefined : next });
}

function deeply(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === "string") return hide(value);
  if (Array.isArray(value)) return value.map((one) => deeply(one, hide));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deeply(one, hide)]));
}
