import { expect, test } from "vitest";
import type { ImageBlock, Message, TextBlock } from "../message.ts";
import { withoutExcessImages } from "./images.ts";

const image = (base64 = "AAAA"): ImageBlock => ({ type: "image", mediaType: "image/png", base64 });
const text = (words: string): TextBlock => ({ type: "text", text: words });
const result = (...content: (TextBlock | ImageBlock)[]): Message => ({
  role: "user",
  content: [{ type: "tool_result", toolUseId: "a", content, isError: false }],
});
const full = text("(image/png: an image, which is not shown: this conversation already holds as many as can be sent)");

test("a model that takes images is sent the very blocks of the log", () => {
  const messages = [result(text("pic"), image()), { role: "user" as const, content: [image()] }];
  const sent = withoutExcessImages(messages, true);
  expect(sent).toEqual(messages);
  expect(sent[1]?.content[0]).toBe(messages[1]?.content[0]);
});

test("a model that takes none is told in words", () => {
  const blind = text("(image/png: an image, which is not shown: this model takes none)");
  expect(withoutExcessImages([result(text("pic"), image()), { role: "user", content: [image()] }], false)).toEqual([
    result(text("pic"), blind),
    { role: "user", content: [blind] },
  ]);
});

test("twenty are sent and no more, and what was sent once is sent again as it was", () => {
  const messages = Array.from({ length: 25 }, () => result(image()));
  const views = messages.map((_, index) => withoutExcessImages(messages.slice(0, index + 1), true));
  expect(views.at(-1)).toEqual([...messages.slice(0, 20), ...Array.from({ length: 5 }, () => result(full))]);
  for (const [index, view] of views.entries()) expect(view).toEqual(views.at(-1)?.slice(0, index + 1));
});

test("all of them together stay within the size of a request", () => {
  const large = "A".repeat(5_000_000);
  const sent = withoutExcessImages([result(...Array.from({ length: 6 }, () => image(large)), image())], true);
  expect(sent).toEqual([result(...Array.from({ length: 4 }, () => image(large)), full, full, image())]);
});
