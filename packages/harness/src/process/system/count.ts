/** What a program tells at its end through a socket of its own: how many processes it left behind. */

import type { Readable } from "node:stream";

/** Digits that are read; what comes behind them is not looked at. */
const mostDigits = 9;

/** Settles when the socket is closed, from either side; 0 where no number came. Never rejects. */
export async function readCount(socket: Readable): Promise<number> {
  let text = "";
  try {
    for await (const chunk of socket as AsyncIterable<Uint8Array>) {
      if (text.length < mostDigits) text += Buffer.from(chunk).toString("latin1");
    }
  } catch {
    // It was let go of before its end.
  }
  return Number(/^\d+/.exec(text.slice(0, mostDigits))?.[0] ?? 0);
}
