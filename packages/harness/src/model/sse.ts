/** Server-sent events read from a response body, with an end to silence and to size. */

import { createParser } from "eventsource-parser";
import { Failure } from "../error.ts";
import { streamCut } from "./http-failure.ts";

export type StreamLimits = {
  /**
   * Milliseconds without a byte after which the stream counts as cut; asked anew before each read. From 0 down: now.
   */
  idleMs: () => number;
  signal: AbortSignal;
};

/** Bytes. No answer is so long, even with an event for each token; what is, comes from a server that never ends. */
const maxAnswerBytes = 128 * 2 ** 20;

/** Milliseconds that are left of a stretch of time, which begins when it is first asked for. */
export function countdown(ms: number): () => number {
  let end: number | undefined;
  return () => (end ??= performance.now() + ms) - performance.now();
}

/**
 * The data of each server-sent event of a response body, in order; comments and event names are left out. Ends and
 * throws as `textPieces` does.
 */
export async function* serverSentData(body: ReadableStream<Uint8Array>, limits: StreamLimits): AsyncGenerator<string> {
  const events: string[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event.data) });
  for await (const text of textPieces(body, limits)) {
    parser.feed(text);
    yield* events.splice(0);
  }
}

/**
 * The text of a response body as it arrives. Ends when the body ends, or early when the signal fires. Throws
 * E_STREAM_CUT when the connection breaks or falls silent, E_BAD_ANSWER when the bytes are not UTF-8 or too many. The
 * body is released however the reading ends.
 */
export async function* textPieces(body: ReadableStream<Uint8Array>, limits: StreamLimits): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = body.getReader();
  // A cancelled reader answers a pending read with `done`; a body that already failed rejects, which the read reports.
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  limits.signal.addEventListener("abort", cancel, { once: true });
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await read(reader, limits.idleMs());
      if (done) return;
      size += value.length;
      if (size > maxAnswerBytes) throw endless();
      yield decode(decoder, value);
    }
  } finally {
    limits.signal.removeEventListener("abort", cancel);
    cancel();
  }
}

type Chunk = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>["read"]>>;

async function read(reader: ReadableStreamDefaultReader<Uint8Array>, idleMs: number): Promise<Chunk> {
  if (idleMs <= 0) throw streamCut("The answer did not end in time.");
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(streamCut(`No byte arrived for ${idleMs / 1000} s.`)), idleMs);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch (error) {
    throw error instanceof Failure ? error : streamCut("The connection broke in the middle of the answer.", error);
  } finally {
    clearTimeout(timer);
  }
}

function endless(): Failure {
  const max = `${maxAnswerBytes / 2 ** 20} MB`;
  return new Failure("E_BAD_ANSWER", `The answer is longer than ${max}, which no answer is.`, {
    remedy: "Check that the base URL leads to the server you mean.",
  });
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch (cause) {
    throw new Failure("E_BAD_ANSWER", "The answer is not valid UTF-8.", { retryAfterMs: 0, cause });
  }
}
