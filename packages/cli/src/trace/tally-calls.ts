/** Adds up what the calls of a trace came to: tool by tool, file by file, command by command. */

import type { Event } from "@croft/harness";
import { commandEnd } from "./command-end.ts";
import { createCappedList } from "./capped-list.ts";
import type { Totals } from "./totals.ts";

type Result = Extract<Event, { type: "tool_result" }>;
type Tool = Totals["tools"][number];
type File = Totals["files"]["first"][number];
type Command = Totals["commands"]["first"][number];

export type CallTally = {
  begin(id: string, at: number): void;
  /** The call that began last runs this command; undefined: none after all. */
  runs(command: string | undefined): void;
  /** Counts what came of a call. When it began: as now, where that is not known. */
  end(result: Result, now: number): number;
  /** The turn is over: what still runs has no end. */
  endTurn(): void;
  totals(): Pick<Totals, "tools" | "files" | "commands">;
};

/** Files and tools of which a tally is kept by name. */
const namesMost = 10_000;
/** Files that are named. */
const filesMost = 500;

/** All times are milliseconds. */
export function createCallTally(): CallTally {
  const running = new Map<string, { at: number; command?: string | undefined }>();
  const tools = new Map<string, Tool>();
  const files = new Map<string, File>();
  const commands = createCappedList<Command>();

  function countTool(name: string, failed: boolean, ms: number): void {
    if (!tools.has(name) && tools.size >= namesMost) return;
    const tool = tools.get(name) ?? { name, calls: 0, failed: 0, ms: 0 };
    tools.set(name, { name, calls: tool.calls + 1, failed: tool.failed + (failed ? 1 : 0), ms: tool.ms + ms });
  }

  function countFile({ path, before, after, hunks }: NonNullable<Result["landed"]>[number]): void {
    const known = files.get(path);
    if (known === undefined && files.size >= namesMost) return;
    files.set(path, {
      path,
      became: after === null ? "deleted" : before === null || known?.became === "created" ? "created" : "changed",
      added: hunks.reduce((sum, { added }) => sum + added, known?.added ?? 0),
      removed: hunks.reduce((sum, { removed }) => sum + removed, known?.removed ?? 0),
    });
  }

  return {
    begin: (id, at) => void running.set(id, { at }),
    runs(command) {
      const call = [...running.values()].at(-1);
      if (call !== undefined) call.command = command;
    },
    end({ id, name, ok, details, landed = [] }, now) {
      const { at = now, command } = running.get(id) ?? {};
      running.delete(id);
      const end = commandEnd(details);
      const failed = !ok || end?.failed === true;
      countTool(name, failed, now - at);
      if (command !== undefined) {
        commands.add({ command, outcome: end?.says ?? (ok ? "done" : "refused"), failed, ms: now - at });
      }
      for (const one of landed) countFile(one);
      return at;
    },
    endTurn: () => running.clear(),
    totals: () => ({
      tools: [...tools.values()].toSorted((one, other) => other.calls - one.calls),
      files: { count: files.size, first: [...files.values()].slice(0, filesMost) },
      commands: commands.list,
    }),
  };
}
