/** How many tokens a prompt can have at most, said without a tokenizer. */

import type { ImageBlock, Message } from "../message.ts";
import { failureIn, type ModelRequest, type Reply } from "./model.ts";

/** What a service counted of a prompt. */
export type CountedPrompt = { request: ModelRequest; tokens: number };

export interface PromptBound {
  /** Tokens the prompt of this request can have at most. */
  worst(request: ModelRequest): number;
  /** Takes note of what the service counted for a request and its reply. */
  learn(request: ModelRequest, reply: Reply): void;
  /** The same for a prompt that was counted before, by an earlier process. */
  recall(prompt: CountedPrompt): void;
}

/** `maxTokens` bounds what it may count as. */
type Piece = { maxTokens: number; digest: string };
/** A request that was counted, and its reply: all of it together has so many tokens. */
type Counted = { pieces: readonly Piece[]; reply: readonly Piece[]; tokens: number };

/** Conversations that go on at the same time: a session, and those it has others lead. */
const conversations = 8;

/** What a service wraps around a request, if it does not show it adds more: role marks, instructions for tools. */
const wrapping = 1024;
/** Tokens of an image, which is paid by its pixels: the dearest services come close to this at their full size. */
const maxImageTokens = 50_000;

/**
 * Bounds prompts without a tokenizer. No token of text is less than a byte; and where a request only continues one that
 * was counted, the reported tokens and output of that one stand for its part, and only what was added since counts a
 * token a byte.
 * `node:crypto` takes as long to load as a small program, and only a run under a ceiling needs it.
 */
export async function promptBound(): Promise<PromptBound> {
  const { hash } = await import("node:crypto");
  const measured = new WeakMap<object, Piece>();
  let known: readonly Counted[] = [];
  /** What a service adds to a request. */
  let hidden = wrapping;

  const measure = (block: Message["content"][number]): Piece => {
    const known = measured.get(block) ?? pieceOf(JSON.stringify(block), imagesIn(block));
    measured.set(block, known);
    return known;
  };
  const pieceOf = (text: string, images: readonly ImageBlock[] = []): Piece => {
    return { maxTokens: maxTokensOf(text, images), digest: hash("sha256", text, "base64") };
  };
  const piecesOfMessage = (message: Message): Piece[] => [pieceOf(message.role), ...message.content.map(measure)];
  const piecesOf = ({ system, tools, messages }: ModelRequest): Piece[] => [
    pieceOf(JSON.stringify([system, tools])),
    ...messages.flatMap(piecesOfMessage),
  ];

  const worst = (request: ModelRequest): number => {
    const pieces = piecesOf(request);
    const continued = known.findLast((one) => startsWith(pieces, one.pieces));
    return continued === undefined ? maxTokensOfAll(pieces) + hidden : boundAfter(continued, pieces) + wrapping;
  };

  const learn = (request: ModelRequest, { message, usage, stop }: Reply): void => {
    const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
    const counted = prompt > 0 && usage.estimated !== true;
    if (!counted || stop === "aborted" || failureIn(stop) !== undefined) return;
    const pieces = piecesOf(request);
    hidden = Math.max(hidden, prompt - maxTokensOfAll(pieces));
    const others = known.filter((one) => !startsWith(pieces, one.pieces));
    const latest = { pieces, reply: piecesOfMessage(message), tokens: prompt + usage.output };
    known = [...others, latest].slice(-conversations);
  };

  const recall = ({ request, tokens }: CountedPrompt): void => {
    known = [...known, { pieces: piecesOf(request), reply: [], tokens }];
  };

  return { worst, learn, recall };
}

/** Of a request that continues one. */
function boundAfter({ pieces: before, reply, tokens }: Counted, pieces: readonly Piece[]): number {
  const since = pieces.slice(before.length);
  return tokens + maxTokensOfAll(startsWith(since, reply) ? since.slice(reply.length) : since);
}

function maxTokensOf(text: string, images: readonly ImageBlock[]): number {
  const encoded = images.reduce((sum, { base64 }) => sum + base64.length, 0);
  return Buffer.byteLength(text) - encoded + images.length * maxImageTokens;
}

function imagesIn(block: Message["content"][number]): ImageBlock[] {
  if (block.type === "image") return [block];
  return block.type === "tool_result" ? block.content.filter((part) => part.type === "image") : [];
}

function maxTokensOfAll(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { maxTokens }) => sum + maxTokens, 0);
}

function startsWith(pieces: readonly Piece[], start: readonly Piece[]): boolean {
  return start.every(({ digest }, index) => pieces[index]?.digest === digest);
}
