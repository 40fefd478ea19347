/** What a model is sent of the images in a session. The log keeps them all. */

import type { ImageBlock, Message, TextBlock } from "../message.ts";

/**
 * Services take 20 images of full size in a request and 32 MB in all. The first ones stay: were the oldest dropped for
 * new ones, what was sent before would change, and with it the provider's cache and its checks of earlier thinking.
 */
const mostImages = 20;
/** Characters of base64. */
const mostCharacters = 24_000_000;

const words = {
  blind: "an image, which is not shown: this model takes none",
  full: "an image, which is not shown: this conversation already holds as many as can be sent",
};

/** Messages with a sentence in place of each image that is not sent. Blocks that stay are the same objects. */
export function withoutExcessImages(messages: readonly Message[], takesImages: boolean): Message[] {
  let images = 0;
  let characters = 0;
  const sent = (block: ImageBlock): ImageBlock | TextBlock => {
    if (!takesImages) return sentence(words.blind, block);
    if (images === mostImages || characters + block.base64.length > mostCharacters) return sentence(words.full, block);
    images += 1;
    characters += block.base64.length;
    return block;
  };
  return messages.map((message) => {
    if (message.role === "assistant") return message;
    const content = message.content.map((block) => {
      if (block.type === "image") return sent(block);
      if (block.type !== "tool_result" || block.content.every(({ type }) => type === "text")) return block;
      return { ...block, content: block.content.map((part) => (part.type === "image" ? sent(part) : part)) };
    });
    return { role: "user", content };
  });
}

function sentence(why: string, { mediaType }: ImageBlock): TextBlock {
  return { type: "text", text: `(${mediaType}: ${why})` };
}
