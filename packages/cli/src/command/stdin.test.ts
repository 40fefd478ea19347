import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import type { Input } from "../io.ts";
import { readStdin } from "./stdin.ts";

const never = new AbortController().signal;

async function read(stdin: Input, waitMs: number | undefined, signal = never): Promise<string | undefined> {
  return (await readStdin(stdin, { waitMs, limit: 1000, what: "The question" }, signal))?.toString();
}

test("what is piped in is read to its end", async () => {
  expect(await read(Readable.from(["Where is", Buffer.from(" it?\n")]), undefined)).toBe("Where is it?\n");
});

test("an empty pipe is not a silent one", async () => {
  expect(await read(Readable.from([]), 600_000)).toBe("");
});

test("an open pipe that stays silent holds nothing", async () => {
  expect(await read(new PassThrough(), 20)).toBe(undefined);
});

test("a pipe that began to speak is heard out", async () => {
  const pipe = new PassThrough();
  pipe.write("Where ");
  setTimeout(() => pipe.end("is it?"), 100);
  expect(await read(pipe, 20)).toBe("Where is it?");
});

test("a terminal is not waited for", async () => {
  expect(await read(Object.assign(new PassThrough(), { isTTY: true }), 600_000)).toBe(undefined);
});

test("waiting ends with the signal", async () => {
  const controller = new AbortController();
  const text = read(new PassThrough(), undefined, controller.signal);
  controller.abort();
  expect(await text).toBe("");
});

test("what has no end is refused", async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(600, "x");
    })(),
  );
  await expect(read(endless, undefined)).rejects.toThrow("The question is longer than 1 KB.");
});
