/** The last calls with all that came of them, kept to be unfolded. Bounded: a long session must not grow by them. */

import { toolUsesOf, type Message } from "@croft/harness";

export type Record = { id: string; name: string; input: unknown; result: string | undefined };
export type Records = readonly Record[];

const recordsMost = 50;
/** Characters of one result. */
const resultMost = 200_000;

export const keep = {
  /** The calls a reply made. */
  calls(records: Records, message: Extract<Message, { role: "assistant" }>): Records {
    const made = toolUsesOf(message).map(({ id, name, input }) => ({ id, name, input, result: undefined }));
    return [...records, ...made].slice(-recordsMost);
  },
  /** What the model was told came of them. */
  results(records: Records, message: Extract<Message, { role: "user" }>): Records {
    const results = new Map(
      message.content.flatMap((block) => {
        if (block.type !== "tool_result") return [];
        const text = block.content.map((part) => (part.type === "text" ? part.text : `[image: ${part.mediaType}]`));
        return [[block.toolUseId, text.join("\n").slice(0, resultMost)] as const];
      }),
    );
    return results.size === 0
      ? records
      : records.map((each) => ({ ...each, result: results.get(each.id) ?? each.result }));
  },
};
