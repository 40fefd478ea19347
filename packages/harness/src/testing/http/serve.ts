/** A server on loopback for tests, and what it reads from a request. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { messageOf } from "../../error.ts";

export type LoopbackServer = { url: string; close(): Promise<void> };

/**
 * Serves on a free port of loopback; `url` has no slash at the end. A handler that throws ends its connection and tells
 * `failed`. Whoever starts it closes it.
 */
export async function serve(
  handle: (incoming: IncomingMessage, response: ServerResponse) => Promise<void>,
  failed: (reason: string) => void,
): Promise<LoopbackServer> {
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      failed(String(error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;

  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

/** The bytes of a request. */
export async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** The JSON value of some bytes, or what is wrong with them: bad UTF-8 and lone surrogates are. */
export function jsonOf(bytes: Uint8Array): { value: unknown } | string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // A surrogate can only hide in an escape: the search for a lone one is slow, and mostly not needed.
    const value: unknown = /\\ud[89a-f]/i.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text);
    return { value };
  } catch (error) {
    return messageOf(error);
  }
}

function wellFormed(key: string, value: unknown): unknown {
  const sound = key.isWellFormed() && (typeof value !== "string" || value.isWellFormed());
  if (!sound) throw new SyntaxError("no low surrogate in string");
  return value;
}
