/** The tools a model gets, on a real file in a temporary folder, behind the fence and the gate. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeGate, Failure, loadToolset, type Doors, type ToolsetName } from "@croft/harness";
import type { Call } from "./requests.ts";
import type { Hands } from "./tally.ts";

export type Tools = Exclude<ToolsetName, "ask">;

/** Makes a call of a tool; its text. Throws Failure where it is refused. */
type Make = (name: string, input: unknown) => Promise<string>;

/** One way to change the file: it is read, and later the calls are made on what it is by then. */
type Way = {
  tools: Hands["tools"];
  read(make: Make): Promise<(calls: readonly Call[]) => Promise<void>>;
};

const path = "file";

const ways: Readonly<Record<Tools, Way>> = {
  code: {
    tools: ["edit_file", "apply_patch"],
    async read(make) {
      await make("read_file", { path, limit: 1 });
      return eachBy((call) => make(call.tool, inputOf(call)));
    },
  },
  anthropic: {
    tools: ["edit_file", "insert"],
    async read(make) {
      const edit = (input: object): Promise<string> => make("str_replace_based_edit_tool", { ...input, path });
      await edit({ command: "view" });
      return eachBy((call) => edit(commandOf(call)));
    },
  },
  artifact: {
    tools: ["edit_file", "apply_patch"],
    async read(make) {
      let media = idIn(await make("stage_file", { path }));
      return async (calls) => {
        for (const call of calls) media = idIn(await make("apply_patch", { media_id: media, patch: patchOf(call) }));
        await make("save_media", { media_id: media, path });
      };
    },
  },
};

/** What a refusal says, told from the words a model reads. */
const reasons: readonly [code: string, words: RegExp][] = [
  ["E_STALE", / changed since you last read it/],
  ["E_NO_MATCH", /is not there|is not a line of it|do not stand at the end|stands in it only before/],
  ["E_AMBIGUOUS", /^old_str(?:ing)? stands |fits at lines |does not show where it belongs/],
  ["E_ENCODING", /its encoding is not known/],
  ["E_NO_CHANGE", /are the same: nothing to change|changes nothing in |cancel each other out/],
  ["E_NOT_READ", /you have not read it/],
  ["E_BAD_PATCH", /^Line \d+ of the patch/],
  ["E_RANGE", /has only \d+ lines/],
];

/** Cases that share a session: what is staged and never saved fills it up. */
const casesOfSession = 100;

/** Whoever opens them closes them. */
export async function openTools(tools: Tools = "code"): Promise<Hands> {
  const folder = mkdtempSync(join(tmpdir(), "croft-history-"));
  const place = join(folder, path);
  const toolset = await loadToolset(tools);
  const open = (): Promise<Doors> => toolset.openTools({ root: folder, gate: codeGate({ yes: true }) });
  let doors = await open();
  let cases = 0;
  const { signal } = new AbortController();
  const make: Make = async (name, input) => {
    const { ok, content } = await doors.call(name, input, signal);
    const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    if (!ok) throw refusal(text);
    return text;
  };
  const way = ways[tools];
  return {
    tools: way.tools,
    async apply(file, calls, read) {
      if (cases++ % casesOfSession === casesOfSession - 1) {
        await doors.close();
        doors = await open();
      }
      writeFileSync(place, read ?? file);
      const change = await way.read(make);
      writeFileSync(place, file);
      await change(calls);
      return readFileSync(place);
    },
    async close() {
      await doors.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function eachBy(make: (call: Call) => Promise<unknown>): (calls: readonly Call[]) => Promise<void> {
  return async (calls) => {
    for (const call of calls) await make(call);
  };
}

function inputOf(call: Call): object {
  switch (call.tool) {
    case "apply_patch":
      return { patch: call.patch };
    case "edit_file":
      return { path, old_string: call.old, new_string: call.new };
    default:
      throw new Error("There is no such tool.");
  }
}

function commandOf(call: Call): object {
  switch (call.tool) {
    case "insert":
      return { command: "insert", insert_line: call.after, insert_text: call.text };
    case "edit_file":
      return { command: "str_replace", old_str: call.old, new_str: call.new };
    default:
      throw new Error("There is no such command.");
  }
}

function patchOf(call: Call): string | object {
  switch (call.tool) {
    case "apply_patch":
      return call.patch;
    case "edit_file":
      return { find: call.old, replace: call.new };
    default:
      throw new Error("There is no such patch.");
  }
}

function idIn(text: string): string {
  return /^[\w-]+/.exec(text)?.[0] ?? "";
}

function refusal(words: string): Failure {
  const narrated = /^\[E_SANDBOX_([A-Z_]+), /.exec(words)?.[1];
  if (narrated !== undefined) return new Failure(`E_${narrated}`, words);
  const [code = words] = reasons.find(([, pattern]) => pattern.test(words)) ?? [];
  return new Failure(code, words);
}
