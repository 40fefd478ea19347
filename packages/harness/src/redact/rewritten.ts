/** The bytes of a file with another text in them. */

import { bomSize, encode } from "../workspace/text/encode.ts";
import type { Encoding } from "../workspace/text/text.ts";

export type Text = { text: string; encoding: Encoding };

/** The mark of the file stays. */
export function rewritten(bytes: Uint8Array, { text, encoding }: Text): Uint8Array {
  return Buffer.concat([bytes.subarray(0, bomSize(encoding)), encode(text, encoding)]);
}
