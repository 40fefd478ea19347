/**
 * The view of a session that a model is sent. The log is never edited; what is sent is derived from it before every
 * request, and repaired so that any provider takes it: each call answered exactly once and at once, results first, no
 * empty text, known tools only, valid Unicode, opaque blocks to their origin alone, images only where they are seen,
 * old results only while there is room.
 */

import {
  fromHarness,
  originOf,
  sameOrigin,
  type AssistantMessage,
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
  type UserMessage,
} from "../message.ts";
import { isWellFormed, wellFormed } from "../json.ts";
import { withoutExcessImages } from "./images.ts";
import { withoutOldResults, type ResultLimits } from "./old-results.ts";
import { withoutRejected } from "./rejected.ts";

export type Recipient = {
  tools: readonly { readonly name: string }[];
  /** `Model.id` of the one who is asked. */
  model: string;
  /** `Model.images`. */
  images: boolean;
  /** When old results are left out; undefined: never. */
  results?: ResultLimits | undefined;
  /**
   * Where the present turn begins among the messages. What the model calls in it goes back as it was, invented tools
   * too; a tool of an earlier turn may be gone, and what was said with it is told as text.
   */
  turnStart: number;
  /**
   * `Session.offered`. A call of what never was a tool was made up, and goes back to who did so; a tool that was is gone.
   */
  offered?: ReadonlySet<string> | undefined;
  /** `Session.rejected`. */
  rejected?: ReadonlySet<string> | undefined;
};

type Said = UserMessage["content"];
/** An assistant's message and all that was said before the next one; the first exchange has no assistant. */
type Exchange = { assistant: AssistantMessage | undefined; said: Said; index: number };
type Known = (tool: string) => boolean;
/** What a reply is sent to, and the ids of calls that stand before it. */
type Sending = { isHome: boolean; known: Known; taken: Set<string> };

/** The messages to send. Blocks that need no repair stay the same objects. */
export function viewOf(messages: readonly Message[], recipient: Recipient): Message[] {
  const names = new Set(recipient.tools.map(({ name }) => name));
  const home = originOf(recipient.model);
  const taken = new Set<string>();
  const isMadeUp = (name: string): boolean => recipient.offered?.has(name) === false;
  const view: Message[] = [];
  for (const { assistant, said, index } of exchangesOf(messages)) {
    const isHome = assistant !== undefined && sameOrigin(assistant.origin, home);
    const known: Known = (name) => names.has(name) || index >= recipient.turnStart || (isHome && isMadeUp(name));
    const calls = new Map<string, ToolUseBlock>();
    if (assistant !== undefined) {
      const content = assistantView(assistant, { isHome, known, taken }, calls);
      if (content.length > 0) view.push({ ...assistant, content });
    }
    const content = userView(said, calls, known);
    if (content.length > 0) addToUser(view, content);
  }
  if (view[0]?.role === "assistant") view.unshift({ role: "user", content: [lost] });
  const { images, results, rejected = new Set() } = recipient;
  const bounded = withoutExcessImages(results === undefined ? view : withoutOldResults(view, results), images);
  return [...withoutRejected(bounded, rejected)];
}

/** No conversation begins with a reply; what it answered may stand on a line of the log that cannot be read any more. */
const lost = fromHarness("What was said before this is lost.");

function exchangesOf(messages: readonly Message[]): Exchange[] {
  const exchanges: Exchange[] = [{ assistant: undefined, said: [], index: 0 }];
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") exchanges.push({ assistant: message, said: [], index });
    else exchanges.at(-1)?.said.push(...message.content);
  }
  return exchanges;
}

/** Collects into `calls` what the next user message has to answer, by the ids they had. */
function assistantView(
  { content }: AssistantMessage,
  { isHome, known, taken }: Sending,
  calls: Map<string, ToolUseBlock>,
): AssistantMessage["content"] {
  const kept: AssistantMessage["content"] = [];
  for (const block of content) {
    if (block.type === "opaque") {
      if (isHome && isWellFormed(block.raw)) kept.push(block); // repaired, it would not be what its service signed
    } else if (block.type === "text") {
      if (block.text.trim() !== "") kept.push(sendable(block));
    } else if (!calls.has(block.id)) {
      const call = withOwnId(block, isHome, taken);
      calls.set(block.id, call);
      kept.push(sendable(known(call.name) ? named(call) : { type: "text", text: retoldCall(call) }));
    }
  }
  return kept;
}

function userView(said: Said, calls: ReadonlyMap<string, ToolUseBlock>, known: Known): Said {
  const given = new Map<string, ToolResultBlock>();
  const rest: Said = [];
  for (const block of said) {
    if (block.type === "tool_result") {
      if (!given.has(block.toolUseId)) given.set(block.toolUseId, block);
    } else if (block.type === "image" || block.text.trim() !== "") {
      rest.push(sendable(block));
    }
  }
  const results: Said = [];
  const retold: Said = [];
  for (const [id, call] of calls) {
    const result = given.get(id) ?? interrupted(id);
    if (known(call.name)) results.push(sendable(filled(call.id === id ? result : { ...result, toolUseId: call.id })));
    else retold.push(sendable({ type: "text", text: retoldResult(call, result) }));
  }
  return [...results, ...retold, ...rest];
}

/** Two user messages in a row (a turn that failed, then a new question) are one on the wire. */
function addToUser(view: Message[], content: Said): void {
  const last = view.at(-1);
  if (last?.role === "user") view[view.length - 1] = { role: "user", content: [...last.content, ...content] };
  else view.push({ role: "user", content });
}

function interrupted(id: string): ToolResultBlock {
  const text = "This call was interrupted; it has no result.";
  return { type: "tool_result", toolUseId: id, content: [{ type: "text", text }], isError: true };
}

function filled(result: ToolResultBlock): ToolResultBlock {
  const content = result.content.filter((block) => block.type !== "text" || block.text !== "");
  if (content.length === result.content.length && content.length > 0) return result;
  return { ...result, content: content.length > 0 ? content : [{ type: "text", text: "(empty)" }] };
}

/**
 * No two calls of a conversation may have the same id, as those of servers have that begin to count anew; and what
 * another service took for one may hold what this one refuses.
 */
function withOwnId(call: ToolUseBlock, isHome: boolean, taken: Set<string>): ToolUseBlock {
  const base = isHome ? call.id : call.id.replace(/[^a-zA-Z0-9_-]/g, "_") || "_";
  let id = base;
  for (let n = 2; taken.has(id); n++) id = `${base}_${n}`;
  taken.add(id);
  return id === call.id ? call : { ...call, id };
}

/** An invented name may hold what no request can carry; then it comes as near as it can. */
function named(call: ToolUseBlock): ToolUseBlock {
  const name = call.name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "_";
  return name === call.name ? call : { ...call, name };
}

/** A tool that is no longer there cannot be named in a request: what happened is told as text. */
function retoldCall(call: ToolUseBlock): string {
  return `(called ${JSON.stringify(call.name)}, which is not a tool here, with ${JSON.stringify(call.input)})`;
}

function retoldResult(call: ToolUseBlock, result: ToolResultBlock): string {
  const text = result.content.map((block) => (block.type === "text" ? block.text : "(image)")).join("\n");
  return `(answer to the call of ${JSON.stringify(call.name)}: ${text})`;
}

/** Lone surrogates, which no UTF-8 request can carry, are replaced; what has none stays the same object. */
function sendable<Block extends Said[number] | ToolUseBlock>(block: Block): Block {
  if (block.type === "text") return block.text.isWellFormed() ? block : { ...block, text: block.text.toWellFormed() };
  if (block.type === "tool_use")
    return isWellFormed(block.input) ? block : { ...block, input: wellFormed(block.input) };
  if (block.type === "tool_result") {
    const content = block.content.map(sendable);
    return content.every((part, index) => part === block.content[index]) ? block : { ...block, content };
  }
  return block;
}
