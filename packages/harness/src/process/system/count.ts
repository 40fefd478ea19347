/** What a program tells through a socket of its own: that it is about to begin, and how many processes it left behind. */

import type { Duplex } from "node:stream";

/** Characters that are read; what comes behind them is not looked at. */
const most = 10;

/** Answers the first line, which is waited for. Settles when the socket is closed, from either side; 0 where no number came. Never rejects. */
export async function readCount(socket: Duplex): Promise<number> {
  let text = "";
  try {
    for await (const chunk of socket as AsyncIterable<Uint8Array>) {
      if (text === "") socket.write("\n");
      if (text.length < most) text += Buffer.from(chunk).toString("latin1");
    }
  } catch {
    // It was let go of before its end.
  }
  return Number(/^\n(\d+)/.exec(text.slice(0, most))?.[1] ?? 0);
}
