import { expect, test } from "vitest";
import type { Message, UserMessage } from "../../message.ts";
import { blocksNamed } from "./named.ts";
import type { Settings } from "./wire.ts";

const origin = { provider: "p", model: "m" };
const capabilities = { limit: "max_tokens", images: true, usage: true, reasoning: false } as const;
const settings: Settings = { model: "m", origin, output: 10, capabilities };

const text = (words: string): UserMessage["content"][number] => ({ type: "text", text: words });
const image = { type: "image", mediaType: "image/png", base64: "AAAA" } as const;
const user = (...content: UserMessage["content"]): Message => ({ role: "user", content });
const thought: Message = {
  role: "assistant",
  origin,
  content: [{ type: "opaque", raw: { reasoning_content: "Hm." } }],
};
const called: Message = { role: "assistant", origin, content: [{ type: "tool_use", id: "t", name: "a", input: {} }] };
const answered = user({ type: "tool_result", toolUseId: "t", content: [image], isError: false }, text("And?"));

/** Of a body in which the system prompt is the first message. */
function named(message: number, part: number | undefined, ...messages: Message[]): ReturnType<typeof blocksNamed> {
  const request = { system: [{ type: "text" as const, text: "Be brief." }], tools: [], messages, maxTokens: 1 };
  return blocksNamed(request, settings, { message, part });
}

test.each<[string, number, number | undefined, Message[], ReturnType<typeof blocksNamed>]>([
  ["the system prompt is no block", 0, undefined, [user(text("Go."))], undefined],
  ["the only message", 1, undefined, [user(text("Go."))], { message: 0, blocks: [0] }],
  [
    "a result, which is a message of its own",
    3,
    undefined,
    [user(text("Go.")), called, answered],
    { message: 2, blocks: [0] },
  ],
  ["an image of a result, which follows it", 4, 0, [user(text("Go.")), called, answered], { message: 2, blocks: [0] }],
  ["what is said behind a result", 4, 1, [user(text("Go.")), called, answered], { message: 2, blocks: [1] }],
  ["no message", 5, undefined, [user(text("Go.")), called, answered], undefined],
  [
    "a result behind a reply of nothing but thinking, which is not sent",
    3,
    undefined,
    [user(text("Go.")), thought, user(text("Empty.")), called, answered],
    { message: 4, blocks: [0] },
  ],
  [
    "the last of what was sent as one",
    1,
    undefined,
    [user(text("Go.")), thought, user(text("Empty."))],
    { message: 2, blocks: [0] },
  ],
  [
    "a part of what was sent as one: the first's",
    1,
    1,
    [user(text("Go."), image), thought, user(text("Empty."))],
    { message: 0, blocks: [1] },
  ],
  [
    "a part of what was sent as one: the last's",
    1,
    2,
    [user(text("Go."), image), thought, user(text("Empty."))],
    { message: 2, blocks: [0] },
  ],
  [
    "a result behind replies in a row, which are sent as one",
    3,
    undefined,
    [user(text("Go.")), { role: "assistant", origin, content: [{ type: "text", text: "I look." }] }, called, answered],
    { message: 3, blocks: [0] },
  ],
])("a server that refuses a place of the body means %s", (_, message, part, messages, blocks) => {
  expect(named(message, part, ...messages)).toEqual(blocks);
});
