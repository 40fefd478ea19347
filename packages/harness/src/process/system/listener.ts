/** Somebody outside who listens, to try whether commands reach it. */

import { once } from "node:events";
import { createServer } from "node:net";

export interface Listener extends Disposable {
  /** On 127.0.0.1. */
  readonly port: number;
}

/** Hangs up on whoever comes. Throws the system's error. */
export async function openListener(): Promise<Listener> {
  const server = createServer((socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, [Symbol.dispose]: () => void server.close() };
}
