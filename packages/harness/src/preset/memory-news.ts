/** What a model has been told of memory files, and what of it no longer holds. */

import { fromHarness, type Message, type TextBlock } from "../message.ts";
import type { MemoryFile } from "../workspace/memory/memory-reader.ts";
import { showPath } from "../workspace/text/show-path.ts";
import nested from "./memory-nested.md";
import words from "./memory-news.md";
import { isShownAs, memorySections, memoryText } from "./memory-text.ts";

/** What stands above memory files in a message, the news among them. */
export const nestedWords: string = fromHarness(nested).text;
const newsWords = fromHarness(words).text;

/** Characters of the files in one piece of news. */
const mostCharacters = 20_000;
const goneText = "(This file is gone, or has nothing in it that the others do not say. Its text no longer holds.)";

/** What is shown of each file, by its path as it is shown; what was told last counts. */
export type Told = ReadonlyMap<string, string>;
/** `names`: the paths, for people. */
export type News = { text: string; names: readonly string[] };

/** `system`: the part of the prompt that holds memory files. */
export function toldOf(system: readonly TextBlock[], messages: readonly Message[]): Told {
  const told = messages
    .flatMap(({ content }) => content.flatMap((block) => (block.type === "tool_result" ? block.content : [block])))
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .filter((text) => text.startsWith(nestedWords) || text.startsWith(newsWords));
  return new Map([...system.map(({ text }) => text), ...told].flatMap(memorySections));
}

/** Undefined: all is as the model knows it. `now`: every file that would be told today. */
export function newsOf(now: readonly MemoryFile[], told: Told): News | undefined {
  const changed = now.filter(({ path, text }) => !isShownAs(told.get(showPath(path)), text));
  const there = new Set(now.map(({ path }) => showPath(path)));
  const gone = [...told].filter(([path, shown]) => !there.has(path) && shown !== goneText).map(([path]) => path);
  if (changed.length === 0 && gone.length === 0) return undefined;
  const files = [...gone.map((path) => ({ path, text: goneText })), ...changed];
  return {
    text: `${newsWords}\n${memoryText(files, mostCharacters).text}`,
    names: [...changed.map(({ path }) => showPath(path)), ...gone.map((path) => `${path} (gone)`)],
  };
}
