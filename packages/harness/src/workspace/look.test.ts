import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { policyGate } from "../gate/rules.ts";
import type { Action } from "../gate/action.ts";
import { readOnlyPolicy } from "../policy/presets.ts";
import { images, pngOf } from "./image/files.testing.ts";
import { maxImageBytes } from "./image/image.ts";
import { openMemoryFence } from "./fence/in-memory.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

const signal = new AbortController().signal;

function workspaceOf(files: Record<string, string | Uint8Array>, asked: Action[] = []): Workspace {
  const gate = policyGate();
  return openWorkspace({
    fence: openMemoryFence(files, readOnlyPolicy()),
    gate: (action, signal) => {
      asked.push(action);
      return gate(action, signal);
    },
    search: { name: "none", supportsFollow: false, search: () => expect.unreachable("searched") },
  });
}

/** The image with a comment that makes it so many bytes long. */
function gifOf(bytes: number): Buffer {
  const { gif } = images;
  const missing = bytes - gif.length - 3;
  const full = Buffer.alloc(256, "x");
  full[0] = 255;
  const blocks = Array.from({ length: Math.floor(missing / 256) }, () => full);
  const last = Buffer.alloc(missing % 256, "x");
  if (last.length > 0) last[0] = last.length - 1;
  return Buffer.concat([gif.subarray(0, -1), Buffer.of(0x21, 0xfe), ...blocks, last, Buffer.of(0), gif.subarray(-1)]);
}

test("a file is an image by its bytes and a text by its bytes, whatever it is called", async () => {
  const workspace = workspaceOf({ "a.txt": images.jpeg, "pic.png": "<svg/>", "b.gif": "GIF89a is a header.\n" });
  expect(await workspace.look("a.txt", signal)).toEqual({
    path: "a.txt",
    format: "JPEG",
    mediaType: "image/jpeg",
    width: 7,
    height: 5,
    bytes: new Uint8Array(images.jpeg),
    hash: hash("sha256", new Uint8Array(images.jpeg)),
  });
  for (const path of ["pic.png", "b.gif"]) {
    expect(await workspace.look(path, signal)).toEqual(await workspace.read(path, signal));
  }
});

test("an image of nothing but ASCII is an image", async () => {
  const gif = "GIF89a\x07\0\x05\0\0\0\0,\0\0\0\0\x07\0\x05\0\0\x02\x01D\0;";
  expect(await workspaceOf({ gif }).look("gif", signal)).toMatchObject({ format: "GIF", width: 7, height: 5 });
});

test("an image may be larger than a text, up to what services take", async () => {
  const noise = Buffer.alloc(2_000_000, 0xee);
  const workspace = workspaceOf({ most: gifOf(maxImageBytes), more: gifOf(maxImageBytes + 1), noise });
  expect(await workspace.look("most", signal)).toMatchObject({ format: "GIF", width: 7, height: 5 });
  await expect(workspace.look("more", signal)).rejects.toMatchObject({
    code: "E_IMAGE_TOO_LARGE",
    message: "more is a GIF image of 3932161 bytes; the limit is 3932160 bytes and 8000 pixels a side.",
  });
  await expect(workspace.look("noise", signal)).rejects.toMatchObject({ code: "E_TOO_LARGE" });
});

test("looking asks the gate as reading does", async () => {
  const asked: Action[] = [];
  const workspace = workspaceOf({ "a.png": pngOf(1, 1), ".env": pngOf(1, 1) }, asked);
  await workspace.look("a.png", signal);
  const verdict = { decision: "allow", rule: "project files" };
  expect(asked).toEqual([
    { kind: "read", asked: "a.png" },
    { kind: "read", asked: "a.png", path: "a.png", verdict },
  ]);
  await expect(workspace.look(".env", signal)).rejects.toMatchObject({ code: "E_DENIED" });
});
