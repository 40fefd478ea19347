/** A conversation made to fit, whatever it holds: for a look back at it, where the whole is too long to be sent. */

import {
  fromHarness,
  toolUsesOf,
  type AssistantMessage,
  type ImageBlock,
  type Message,
  type TextBlock,
  type UserMessage,
} from "../message.ts";
import { cutMiddle } from "./cut-middle.ts";
import { bytesOf } from "./prompt-size.ts";

/** Characters of one piece: of a tool's result or input, and of anything else that was said. */
type Limits = { tool: number; text: number };

/** Tried in order: what tools gave goes first, as it can be had again. */
const shorter: readonly Limits[] = [
  { tool: 4_000, text: 20_000 },
  { tool: 1_000, text: 4_000 },
  { tool: 200, text: 1_000 },
];

/**
 * Messages of at most so many bytes, each call still with its result: cut piece by piece, and where that does not do,
 * without those that follow the first. The first one, cut, is there however long it is. A provider takes what its model
 * said back only as it was, so a reply that is cut is retold, with its results, in the user's words before it.
 */
export function fitted(messages: readonly Message[], most: number): readonly Message[] {
  if (bytesOf(messages) <= most) return messages;
  let cut = messages;
  for (const limits of shorter) {
    cut = shortened(messages, limits);
    if (bytesOf(cut) <= most) return merged(cut);
  }
  const [first, ...rest] = cut;
  if (first === undefined) return [];
  let room = most - bytesOf([first]);
  let from = rest.length;
  for (let at = rest.length - 1; at >= 0; at -= 1) {
    room -= bytesOf(rest.slice(at, at + 1));
    if (room < 0) break;
    if (rest[at]?.content.every(({ type }) => type !== "tool_result")) from = at;
  }
  return merged([first, ...rest.slice(from)]);
}

function shortened(messages: readonly Message[], limits: Limits): Message[] {
  const cut: Message[] = [];
  /** Names of the calls that were retold, by id. */
  let retold: ReadonlyMap<string, string> = new Map();
  for (const message of messages) {
    if (message.role === "user") {
      const content = message.content.map((block) => shortBlock(block, limits));
      cut.push({ role: "user", content: content.map((block) => retoldResult(block, retold)) });
    } else if (isShort(message, limits)) {
      retold = new Map();
      cut.push(message);
    } else {
      retold = new Map(toolUsesOf(message).map(({ id, name }) => [id, name]));
      cut.push({ role: "user", content: retoldReply(message, limits) });
    }
  }
  return cut;
}

/** What the user says in a row is one message. */
function merged(messages: readonly Message[]): Message[] {
  const whole: Message[] = [];
  for (const message of messages) {
    const last = whole.at(-1);
    if (message.role === "user" && last?.role === "user")
      whole[whole.length - 1] = { role: "user", content: [...last.content, ...message.content] };
    else whole.push(message);
  }
  return whole;
}

function shortBlock(block: UserMessage["content"][number], limits: Limits): UserMessage["content"][number] {
  if (block.type !== "tool_result") return shortPart(block, limits.text);
  return { ...block, content: block.content.map((part) => shortPart(part, limits.tool)) };
}

function shortPart(part: TextBlock | ImageBlock, limit: number): TextBlock {
  return part.type === "text" ? shortText(part, limit) : { type: "text", text: "(image)" };
}

function shortText(block: TextBlock, limit: number): TextBlock {
  return block.text.length <= limit ? block : { type: "text", text: cutMiddle(block.text, limit) };
}

function isShort({ content }: AssistantMessage, limits: Limits): boolean {
  return content.every((block) => {
    if (block.type === "text") return block.text.length <= limits.text;
    return block.type !== "tool_use" || JSON.stringify(block.input).length <= limits.tool;
  });
}

/** What the model thought is left out: without what follows, it is no longer what its provider signed. */
function retoldReply({ content }: AssistantMessage, limits: Limits): TextBlock[] {
  return content.flatMap((block): TextBlock[] => {
    if (block.type === "opaque") return [];
    const said =
      block.type === "text"
        ? `You said: ${cutMiddle(block.text, limits.text)}`
        : `You called ${block.name} with ${cutMiddle(JSON.stringify(block.input), limits.tool)}`;
    return [fromHarness(said)];
  });
}

function retoldResult(
  block: UserMessage["content"][number],
  retold: ReadonlyMap<string, string>,
): UserMessage["content"][number] {
  const name = block.type === "tool_result" ? retold.get(block.toolUseId) : undefined;
  if (block.type !== "tool_result" || name === undefined) return block;
  const texts = block.content.map((part) => (part.type === "text" ? part.text : "(image)"));
  return fromHarness(`${name} answered: ${texts.join("\n")}`);
}
