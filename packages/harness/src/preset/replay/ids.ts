/**
 * Ids that tools give out and take again, of files that were opened, copies and kept outputs. Each means something only in
 * the process that gave it out: where calls are made again, those of a trace stand for those of now.
 */

import type { ToolResult } from "../../tool/tool.ts";

type Content = ToolResult["content"];

export type Ids = {
  /** The input of a recorded call as it is to be made; undefined where it names what no call made again gave out. */
  now(input: unknown): unknown;
  /** What came of it, with the recorded ids in place of those that stand where they stood, which are known from then on. */
  recorded(now: Content, recorded: Content): Content;
};

const shape = String.raw`(?:[am]\d+-[0-9a-f]{4}|output-[0-9a-f-]{36})`;
const isId = new RegExp(`^${shape}$`);
/** Of a field, of whatever tool, that takes one. */
const isIdField = /(?:^|_)id$/;

export function createIds(): Ids {
  const known = new Map<string, string>();

  function learn(recorded: string, now: string): void {
    const ids = idsIn(now);
    for (const [index, id] of idsIn(recorded).entries()) {
      const other = ids[index];
      if (other !== undefined && !known.has(id)) known.set(id, other);
    }
  }

  return {
    now(input) {
      const fields = Object.entries(Object(input));
      const named = fields.filter(([field, value]) => isIdField.test(field) && isId.test(String(value)));
      const found = named.map(([field, id]) => [field, known.get(String(id))] as const);
      if (found.some(([, id]) => id === undefined)) return undefined;
      return found.length === 0 ? input : Object.fromEntries([...fields, ...found]);
    },
    recorded(now, recorded) {
      learn(textIn(recorded), textIn(now));
      const byNow = new Map([...known].map(([id, other]) => [other, id]));
      const renamed = (text: string): string => text.replaceAll(everyId(), (id) => byNow.get(id) ?? id);
      return now.map((block) => (block.type === "text" ? { ...block, text: renamed(block.text) } : block));
    },
  };
}

function idsIn(text: string): string[] {
  return Array.from(text.matchAll(everyId()), ([id]) => id);
}

function everyId(): RegExp {
  return new RegExp(String.raw`\b${shape}\b`, "g");
}

function textIn(content: Content): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}
