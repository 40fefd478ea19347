/** How many tokens a prompt can have at most, said without a tokenizer. */

import type { ImageBlock, Message } from "../message.ts";
import { failureIn, type ModelRequest, type Reply } from "./model.ts";

export interface PromptBound {
  /** Tokens the prompt of this request can have at most. */
  worst(request: ModelRequest): number;
  /** Takes note of what the service counted for a request and its reply. */
  learn(request: ModelRequest, reply: Reply): void;
}

/** `maxTokens` bounds what it may count as. */
type Piece = { maxTokens: number; digest: string };

/** What a service wraps around a request: role marks, its own instructions for tools. */
const wrapping = 1024;
/** Tokens of an image, which is paid by its pixels: the dearest services come close to this at their full size. */
const maxImageTokens = 50_000;

/**
 * Bounds prompts without a tokenizer. No token of text is less than a byte; and where a request only continues the last
 * one, that one's reported tokens and output stand for its part, and only what was added since counts a token a byte.
 * `node:crypto` takes as long to load as a small program, and only a run under a ceiling needs it.
 */
export async function promptBound(): Promise<PromptBound> {
  const { hash } = await import("node:crypto");
  const measured = new WeakMap<object, Piece>();
  let last: { pieces: readonly Piece[]; reply: readonly Piece[]; tokens: number } | undefined;

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
    if (last === undefined || !startsWith(pieces, last.pieces)) return maxTokensOfAll(pieces) + wrapping;
    const since = pieces.slice(last.pieces.length);
    const added = startsWith(since, last.reply) ? since.slice(last.reply.length) : since;
    return last.tokens + maxTokensOfAll(added) + wrapping;
  };

  const learn = (request: ModelRequest, { message, usage, stop }: Reply): void => {
    const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
    const counted = prompt > 0 && usage.estimated !== true;
    if (!counted || stop === "aborted" || failureIn(stop) !== undefined) return;
    last = { pieces: piecesOf(request), reply: piecesOfMessage(message), tokens: prompt + usage.output };
  };

  return { worst, learn };
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
