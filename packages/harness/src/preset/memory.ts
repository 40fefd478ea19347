/**
 * Memory files put before a model: some at the start, as a part of the system prompt, others when their folder is first
 * read, and whatever has changed since with the user's next words.
 */

import type { AgentOptions, Attach } from "../agent/agent.ts";
import type { Event } from "../event.ts";
import type { TextBlock } from "../message.ts";
import { withRun, type Tool, type ToolResult } from "../tool/tool.ts";
import type { Shown } from "../workspace/ledger.ts";
import { foldersAbove, type MemoryFiles } from "../workspace/memory/memory-files.ts";
import type { FoundMemory, MemoryFile } from "../workspace/memory/memory-reader.ts";
import { showPath } from "../workspace/text/show-path.ts";
import { countUnseen } from "../workspace/text/show-text.ts";
import type { Hiding } from "./hiding.ts";
import { nestedWords, newsOf, toldOf } from "./memory-news.ts";
import { memoryText } from "./memory-text.ts";
import words from "./memory.md";

export type MemoryOptions = {
  /**
   * The user's own conventions, which hold in every project; `path` is what people know the file by. It imports
   * nothing. What gives it is asked at the start and with everything that the user says.
   */
  user?: MemoryFile | (() => MemoryFile | undefined) | undefined;
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
  /** Tells what is no longer as the model knows it, which it does from this prompt and this session. */
  news(frame: Pick<AgentOptions, "system" | "session">): Attach;
}

/** For those who want none. */
export const noMemory: Memory = Object.freeze({
  system: [],
  notices: [],
  extend: (tool: Tool) => tool,
  forget: () => {},
  news: () => async () => [],
});

/** Characters of all memory files in a session. */
const mostCharacters = 40_000;
/** Files left out that are named; the rest is counted. */
const mostNamed = 5;

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
  let found = files;
  const entered = new Set<string>();

  const tell = (
    { files: told, leftOut }: FoundMemory,
    introduction: string,
  ): { blocks: TextBlock[]; notices: Event[] } => {
    const { text, characters, cut } = memoryText(told, room);
    room -= characters;
    const blocks = text === "" ? [] : [{ type: "text" as const, text: `${introduction}\n${text}` }];
    return { blocks, notices: noticesOf({ files: told, leftOut }, cut) };
  };

  /** Folders that were not read in before. */
  const enter = (folders: readonly string[]): string[] => {
    const fresh = folders.filter((folder) => !entered.has(folder));
    for (const folder of fresh) entered.add(folder);
    return fresh;
  };

  const hidden = async ({ files: shown, leftOut }: FoundMemory): Promise<FoundMemory> => ({
    files: await Promise.all(shown.map(async ({ path, text }) => ({ path, text: await hiding.text(text, path) }))),
    leftOut,
  });

  /** Of the user, then around the root. */
  const atStart = async (source: MemoryFiles): Promise<FoundMemory> => {
    const own = typeof user === "function" ? user() : user;
    // No file of the project: what is hidden in it stands in none of them.
    const ofUser = own === undefined ? [] : [{ ...own, text: await hiding.text(own.text) }];
    const around = await hidden(source.around());
    return { ...around, files: [...ofUser, ...around.files] };
  };

  enter(foldersOf(before));
  const start = tell(await atStart(found), words);
  const roomBelow = room;
  return {
    system: start.blocks,
    notices: start.notices,
    extend: (tool) =>
      withRun(tool, async (input, context) => {
        const result = await tool.run(input, context);
        const below = found.inFolders(enter(foldersOf(result.shown ?? [])));
        const { blocks, notices } = tell(await hidden(below), nestedWords);
        for (const notice of notices) emit(notice);
        return { ...result, content: [...result.content, ...blocks] };
      }),
    forget() {
      entered.clear();
      room = roomBelow;
      found = files.anew();
      found.around();
    },
    news:
      ({ system, session }) =>
      async () => {
        const source = files.anew();
        const now = await atStart(source);
        const below = await hidden(source.inFolders([...entered]));
        const news = newsOf([...now.files, ...below.files], toldOf(system, session.messages));
        if (news === undefined) return [];
        const preview = `memory files that have changed: ${news.names.join(", ")}`;
        return [{ name: "memory", ok: true, preview, content: [{ type: "text", text: news.text }] }];
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
  const unseen = files.flatMap(({ path, text }) => {
    const count = countUnseen(text);
    return count === 0 ? [] : [`${showPath(path)} (${count})`];
  });
  const unnamed = leftOut.length - mostNamed;
  const reasons = [...leftOut.slice(0, mostNamed), ...(unnamed > 0 ? [`And ${unnamed} more.`] : [])].join(" ");
  return [
    ...(loaded === "" ? [] : [notice("memory", `Memory files: ${loaded}${beyond}`)]),
    ...(unseen.length === 0
      ? []
      : [notice("memory_unseen", `Characters that nobody sees, which the model is shown: ${unseen.join(", ")}`)]),
    ...(reasons === "" ? [] : [notice("memory_left_out", `Not loaded as memory: ${reasons}`)]),
  ];
}

function notice(code: string, text: string): Event {
  return { type: "notice", code, text };
}
