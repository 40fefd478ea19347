/**
 * Memory files put before a model: some at the start, as a part of the system prompt, others when their folder is first
 * read.
 */

import type { Event } from "../event.ts";
import { fromHarness, type TextBlock } from "../message.ts";
import { withRun, type Tool, type ToolResult } from "../tool/tool.ts";
import type { Shown } from "../workspace/ledger.ts";
import { foldersAbove, type MemoryFiles } from "../workspace/memory/memory-files.ts";
import type { FoundMemory, MemoryFile } from "../workspace/memory/memory-reader.ts";
import { showPath } from "../workspace/text/show-path.ts";
import type { Hiding } from "./hiding.ts";
import nested from "./memory-nested.md";
import { memoryText } from "./memory-text.ts";
import words from "./memory.md";

export type MemoryOptions = {
  /**
   * The user's own conventions, which hold in every project; `path` is what people know the file by. It imports
   * nothing.
   */
  user?: MemoryFile | undefined;
};

export interface Memory {
  /** Frozen, as a system prompt has to be; empty where there are no memory files. */
  readonly system: readonly TextBlock[];
  /** What the system prompt holds and what was left out, for people. */
  readonly notices: readonly Event[];
  /** The tool, its results followed, once, by the memory files of the folders in which something was read. */
  extend(tool: Tool): Tool;
  /** The results so far are gone from what the model is sent: a folder's files are told once more when it is read in. */
  forget(): void;
}

const nestedWords = fromHarness(nested).text;

/** For those who want none. */
export const noMemory: Memory = Object.freeze({
  system: [],
  notices: [],
  extend: (tool: Tool) => tool,
  forget: () => {},
});

/** Characters of all memory files in a session. */
const mostCharacters = 40_000;
/** Files left out that are named; the rest is counted. */
const mostNamed = 5;

/** What stands in the results for some folders. */
type Told = { folders: readonly string[]; blocks: readonly TextBlock[] };

export type MemoryParts = {
  hiding: Pick<Hiding, "text">;
  /** Hears of the files that are loaded later. */
  emit: (event: Event) => void;
  /** What was shown before and the model still has, where a session goes on. */
  before?: readonly Shown[] | undefined;
};

/** Looks around the root at once. */
export async function loadMemory(
  files: MemoryFiles,
  { user }: MemoryOptions,
  { hiding, emit, before = [] }: MemoryParts,
): Promise<Memory> {
  let room = mostCharacters;
  const entered = new Set<string>();
  let told: Told[] = [];
  let forgotten: Told[] = [];

  const tell = (found: FoundMemory, introduction: string): { blocks: TextBlock[]; notices: Event[] } => {
    const { text, characters, cut } = memoryText(found.files, room);
    room -= characters;
    const blocks = text === "" ? [] : [{ type: "text" as const, text: `${introduction}\n${text}` }];
    return { blocks, notices: noticesOf(found, cut) };
  };

  /** Folders that were not read in before. */
  const enter = (folders: readonly string[]): string[] => {
    const fresh = folders.filter((folder) => !entered.has(folder));
    for (const folder of fresh) entered.add(folder);
    return fresh;
  };

  const toldAgain = (folders: readonly string[]): TextBlock[] => {
    const again = forgotten.filter((one) => one.folders.some((folder) => folders.includes(folder)));
    forgotten = forgotten.filter((one) => !again.includes(one));
    told.push(...again);
    return again.flatMap(({ blocks }) => blocks);
  };

  const hidden = async ({ files: found, leftOut }: FoundMemory): Promise<FoundMemory> => ({
    files: await Promise.all(found.map(async ({ path, text }) => ({ path, text: await hiding.text(text, path) }))),
    leftOut,
  });

  enter(foldersOf(before));
  const around = await hidden(files.around());
  // No file of the project: what is hidden in it stands in none of them.
  const own = user === undefined ? [] : [{ ...user, text: await hiding.text(user.text) }];
  const start = tell({ ...around, files: [...own, ...around.files] }, words);
  return {
    system: start.blocks,
    notices: start.notices,
    extend: (tool) =>
      withRun(tool, async (input, context) => {
        const result = await tool.run(input, context);
        const folders = foldersOf(result.shown ?? []);
        const again = toldAgain(folders);
        const fresh = enter(folders);
        const { blocks, notices } = tell(await hidden(files.inFolders(fresh)), nestedWords);
        if (blocks.length > 0) told.push({ folders: fresh, blocks });
        for (const notice of notices) emit(notice);
        return { ...result, content: [...result.content, ...again, ...blocks] };
      }),
    forget() {
      forgotten.push(...told);
      told = [];
    },
  };
}

/** A search shows lines of many folders, and so does a report: neither reads in one. */
function foldersOf(shown: readonly Shown[]): string[] {
  const read = shown.filter(({ via }) => via !== "search" && via !== "report");
  return [...new Set(read.flatMap(({ path }) => foldersAbove(path)))];
}

/** A tool's own part of a result that memory files may have followed. */
export function withoutMemory(content: ToolResult["content"]): ToolResult["content"] {
  return content.filter((block) => block.type !== "text" || !block.text.startsWith(nestedWords));
}

function noticesOf({ files, leftOut }: FoundMemory, cut: number): Event[] {
  const loaded = files.map(({ path }) => showPath(path)).join(", ");
  const beyond = cut === 0 ? "" : `; ${cut} characters beyond the limit of ${mostCharacters} are cut`;
  const unnamed = leftOut.length - mostNamed;
  const reasons = [...leftOut.slice(0, mostNamed), ...(unnamed > 0 ? [`And ${unnamed} more.`] : [])].join(" ");
  return [
    ...(loaded === "" ? [] : [notice("memory", `Memory files: ${loaded}${beyond}`)]),
    ...(reasons === "" ? [] : [notice("memory_left_out", `Not loaded as memory: ${reasons}`)]),
  ];
}

function notice(code: string, text: string): Event {
  return { type: "notice", code, text };
}
