/**
 * What the API says of images. It looks at the bytes, and one bad image in a conversation spoils every request after
 * it.
 */

import type { WireMessage } from "./request.ts";

/** As the shape of a request has it. */
type Source = { media_type: string; data: string };
type Block = { type: string; source?: Source; content?: readonly Block[] | string };

/** Characters of base64. */
const maxCharacters = 5_242_880;
const maxInRequest = 100;

const beginnings: ReadonlyMap<string, RegExp> = new Map([
  ["image/png", /^\x89PNG/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8/],
  ["image/webp", /^RIFF.{4}WEBP/s],
]);

/** The first thing wrong with an image, or undefined. */
export function imageComplaint(messages: readonly WireMessage[]): string | undefined {
  const sources = messages.flatMap(({ content }) => sourcesIn(content));
  if (sources.length > maxInRequest) return `Too many images: ${sources.length} > ${maxInRequest}`;
  for (const { media_type, data } of sources) {
    if (data.length > maxCharacters) return `image exceeds 5 MB maximum: ${data.length} bytes > ${maxCharacters} bytes`;
    const start = Buffer.from(data.slice(0, 24), "base64").toString("latin1");
    if (beginnings.get(media_type)?.test(start) !== true) {
      return `Image does not match the provided media type ${media_type}`;
    }
  }
  return undefined;
}

function sourcesIn(content: Block["content"] = []): Source[] {
  if (typeof content === "string") return [];
  return content.flatMap((block) => block.source ?? sourcesIn(block.content));
}
