import { expect, test } from "vitest";
import { call, say } from "../testing/messages-server/script.ts";
import { images, pngOf } from "../workspace/image/files.testing.ts";
import { rig } from "./asking.testing.ts";

const text = (words: string): object => ({ type: "text", text: words });
const source = (media_type: string, bytes: Buffer): object => ({
  type: "image",
  source: { type: "base64", media_type, data: bytes.toString("base64") },
});

test("the static part of a request, system prompt and tools, is 6 KB at most", async () => {
  const { ask, server } = await rig({ files: {}, script: [say("Yes.")] });
  await ask("What?");
  const { system, tools } = server.requests[0]?.body ?? {};
  expect(system).toHaveLength(1);
  expect(Buffer.byteLength(JSON.stringify({ system, tools }))).toBeLessThanOrEqual(6 * 1024);
});

const files = {
  "a.png": pngOf(3, 2),
  "photo.png": images.jpeg,
  "icon.svg": "<svg/>",
  "fake.png": "<svg/>",
  "empty.png": "",
  "cut.jpg": images.jpeg.subarray(0, -9),
  "x.ico": Buffer.of(0, 0, 1, 0, 1, 0),
};
const script = [Object.keys(files).map((path) => call("read_file", { path })), say("Seen."), say("Still here.")];

/** The results as they are sent, by the path that was read. */
function results(body: { messages: readonly { content: readonly object[] }[] } | undefined): unknown {
  const content = body?.messages.at(2)?.content ?? [];
  return Object.fromEntries(Object.keys(files).map((path, index) => [path, Object(content[index]).content]));
}

const asText = {
  "icon.svg": [text("icon.svg: lines 1-1 of 1\n1\t<svg/>")],
  "fake.png": [text("fake.png: lines 1-1 of 1\n1\t<svg/>")],
  "empty.png": [text("empty.png: empty file")],
  "cut.jpg": [
    text(
      "cut.jpg is a JPEG image that is cut off or damaged. " +
        "It cannot be shown: go on without it, and say so if the answer depends on it.",
    ),
  ],
  "x.ico": [
    text(
      "x.ico is an image that no model is shown (ICO). " +
        "Only PNG, JPEG, GIF and WebP can be: ask for it in one of these, or go on without it.",
    ),
  ],
};

test("a model that sees is sent images by their bytes, and what is none as text; the next turn works", async () => {
  const { ask, server } = await rig({ files, script });
  expect([(await ask("Look.")).status, (await ask("And now?")).status]).toEqual(["done", "done"]);
  expect(server.rejections).toEqual([]);
  expect(results(server.requests[1]?.body)).toEqual({
    "a.png": [
      text(`a.png: PNG image, 3 x 2 pixels, ${files["a.png"].length} bytes`),
      source("image/png", files["a.png"]),
    ],
    "photo.png": [text("photo.png: JPEG image, 7 x 5 pixels, 542 bytes"), source("image/jpeg", images.jpeg)],
    ...asText,
  });
  expect(results(server.requests[2]?.body)).toEqual(results(server.requests[1]?.body));
});

test("a model behind a compatible server is told of images in words, and the log keeps them", async () => {
  const { ask, server, events } = await rig({ files, script, surface: "compatible" });
  await ask("Look.");
  const blind = (mediaType: string): object =>
    text(`(${mediaType}: an image, which is not shown: this model takes none)`);
  expect(results(server.requests[1]?.body)).toEqual({
    "a.png": [text(`a.png: PNG image, 3 x 2 pixels, ${files["a.png"].length} bytes`), blind("image/png")],
    "photo.png": [text("photo.png: JPEG image, 7 x 5 pixels, 542 bytes"), blind("image/jpeg")],
    ...asText,
  });
  expect(JSON.stringify(events)).toContain(images.jpeg.toString("base64"));
});
