/** What stands in place of a secret: `[secret:aws-key:7f3a91c2e0d4b6a8]`. */

import { createHmac } from "node:crypto";

/** `id` tells it from the others; undefined for a part of a placeholder, or one that was changed. */
export type Placeholder = { from: number; to: number; id: string | undefined };

export interface Placeholders {
  /** The id of this secret, always the same in a session. */
  idOf(secret: string): string;
  write(name: string, id: string): string;
  /** All of this session in a text, known or not, whole or not, in order. */
  in(text: string): Placeholder[];
}

/**
 * Hexadecimal digits of an id: those that all of a session share, and those that tell one from another (of 100,000
 * secrets two have the same by a chance of one in 50,000).
 */
const tagSize = 4;
const ownSize = 12;

/**
 * Placeholders made with the salt of a session. Who lacks the salt can neither make one nor find out from one what it
 * stands for: placeholders get into traces, and a short password could be guessed from a plain hash.
 */
export function createPlaceholders(salt: Uint8Array): Placeholders {
  const digest = (text: string): string => createHmac("sha256", salt).update(text).digest("hex");
  const tag = digest("tag").slice(0, tagSize);
  const any = new RegExp(String.raw`\[?secret:[a-z0-9-]{0,30}:${tag}[0-9a-f]{0,${ownSize}}\]?`, "g");
  const whole = new RegExp(String.raw`^\[secret:[a-z0-9-]+:(?<id>[0-9a-f]{${tagSize + ownSize}})\]$`);
  return {
    idOf: (secret) => tag + digest(`secret ${secret}`).slice(0, ownSize),
    write: (name, id) => `[secret:${name}:${id}]`,
    in: (text) =>
      Array.from(text.matchAll(any), ({ 0: found, index }) => ({
        from: index,
        to: index + found.length,
        id: whole.exec(found)?.groups?.["id"],
      })),
  };
}
