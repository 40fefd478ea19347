import { expect, test } from "vitest";
import { sourceOf } from "./source.ts";
import { newFile, replaceAllText } from "./whole.ts";

const rewritten = (file: string | Uint8Array, content: string): [string, string] => {
  const { bytes, ending } = replaceAllText(sourceOf("a", Buffer.from(file)), content);
  return [bytes.toString("latin1"), ending];
};

test("a new file holds the bytes it is given", () => {
  const texts = ["", "#!/bin/sh\necho ok\n", "a\r\nb\n", "\ufeffé", "日本"];
  expect(texts.map((text) => newFile("a", text).toString())).toEqual(texts);
  expect(() => newFile("a", "\ud800")).toThrow(expect.objectContaining({ code: "E_ENCODING" }));
});

test("new text keeps the encoding and the mark of the file, and its line ends where all are alike", () => {
  expect(rewritten("a\r\nb\r\n", "x\ny\n")).toEqual(["x\r\ny\r\n", "\r\n"]);
  expect(rewritten("a\r\nb\r\n", "x\r\ny\n")).toEqual(["x\r\ny\n", "\n"]);
  expect(rewritten("a\r\nb\n", "x\ny\n")).toEqual(["x\ny\n", "\n"]);
  expect(rewritten("a\n", "x\r\n")).toEqual(["x\r\n", "\n"]);
  expect(rewritten("\ufeffa", "b")).toEqual(["\xef\xbb\xbfb", "\n"]);
  expect(rewritten(Buffer.from("\ufeffa\r\n", "utf16le"), "é\n")).toEqual([
    Buffer.from("\ufeffé\r\n", "utf16le").toString("latin1"),
    "\r\n",
  ]);
});

test("a file of unknown encoding takes what it has shown, and ASCII", () => {
  const file = Buffer.from("caf\xe9\n", "latin1");
  expect(rewritten(file, String.raw`\xE9 caf\xE9`)[0]).toBe("\xe9 caf\xe9");
  expect(() => rewritten(file, "é")).toThrow(expect.objectContaining({ code: "E_ENCODING" }));
});
