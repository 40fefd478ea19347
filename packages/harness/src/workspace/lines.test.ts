import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readOnlyPolicy } from "../policy/presets.ts";
import type { Fence } from "./fence.ts";
import { linesThrough, type CitedLines } from "./lines.ts";
import { openFence } from "./fence/on-disk.ts";

let folder: string;
let fence: Fence;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-lines-"));
  fence = openFence(folder, readOnlyPolicy());
});
afterEach(() => {
  fence.close();
  rmSync(folder, { recursive: true });
});

const never = new AbortController().signal;

function reading(fence: Fence): (path: string, from: number, to: number) => Promise<CitedLines | undefined> {
  const lines = linesThrough(fence);
  return (path, from, to) => lines(path, from, to, never);
}

describe("lines for a check", () => {
  it("are those that exist of what was asked for, with the number the file has", async () => {
    writeFileSync(join(folder, "a.ts"), "one\r\ntwo\r\nthree\r\n");
    symlinkSync("a.ts", join(folder, "link.ts"));
    const lines = reading(fence);
    expect(await lines("a.ts", 2, 9)).toEqual({ path: "a.ts", lines: ["two", "three"], total: 3 });
    expect(await lines("./link.ts", 1, 1)).toEqual({ path: "a.ts", lines: ["one"], total: 3 });
    expect(await lines("a.ts", 7, 9)).toEqual({ path: "a.ts", lines: [], total: 3 });
  });

  it("are none where nothing may be read: absent, denied, outside, a folder, binary", async () => {
    writeFileSync(join(folder, ".env"), "KEY=1\n");
    writeFileSync(join(folder, "b.bin"), "\0\0\n");
    const lines = reading(fence);
    for (const path of ["none.ts", ".env", "../x", "/etc/passwd", ".", "b.bin", "", "a\0b"]) {
      expect(await lines(path, 1, 1)).toBeUndefined();
    }
  });

  it("come out of a file too large to hold as well", async () => {
    const text = Array.from({ length: 200_000 }, (_, index) => `line ${index + 1}`).join("\n");
    writeFileSync(join(folder, "big.log"), `${text}\n${"x".repeat(50_000)}`);
    const found = await reading(fence)("big.log", 199_999, 200_003);
    expect(found).toEqual({
      path: "big.log",
      lines: ["line 199999", "line 200000", "x".repeat(10_000)],
      total: 200_001,
    });
  });

  it("come out of a large file as a search shows them, whatever its encoding", async () => {
    const filler = "x = 1;\n".repeat(150_000);
    const text = `${filler}caf\u00e9 \u{1f600}\r\nlast`;
    const utf16 = Buffer.from(`\ufeff${text}`, "utf16le");
    writeFileSync(join(folder, "bom.log"), `\ufeff${text}`);
    writeFileSync(join(folder, "utf-16le.log"), utf16);
    writeFileSync(join(folder, "utf-16be.log"), Buffer.from(utf16).swap16());
    writeFileSync(join(folder, "latin1.log"), Buffer.from(`${filler}caf\u00e9\n`, "latin1"));
    writeFileSync(join(folder, "long.log"), `${filler}${"\u65e5".repeat(50_000)}\n`);
    writeFileSync(join(folder, "half.log"), Buffer.concat([utf16, Buffer.of(0, 0xd8, 10, 0)]));
    const lines = reading(fence);
    for (const path of ["bom.log", "utf-16le.log", "utf-16be.log"]) {
      const found = { path, lines: ["caf\u00e9 \u{1f600}", "last"], total: 150_002 };
      expect(await lines(path, 150_001, 150_009)).toEqual(found);
      expect((await lines(path, 1, 1))?.lines).toEqual(["x = 1;"]);
    }
    expect((await lines("latin1.log", 150_001, 150_001))?.lines).toEqual([String.raw`caf\xE9`]);
    expect((await lines("long.log", 150_001, 150_001))?.lines).toEqual(["\u65e5".repeat(10_000)]);
    expect(await lines("half.log", 1, 1)).toBeUndefined();
  });

  it("are none in a large file of NULs, which is not read to its end", async () => {
    writeFileSync(join(folder, "hole.log"), "");
    truncateSync(join(folder, "hole.log"), 2 ** 40);
    expect(await reading(fence)("hole.log", 1, 1)).toBeUndefined();
  });

  it("keep no more in memory than they are, however many are asked for", async () => {
    writeFileSync(join(folder, "big.ts"), "x = 1;\n".repeat(140_000));
    const lines = reading(fence);
    const before = process.memoryUsage().heapUsed;
    const found = [];
    for (let line = 1; line <= 300; line++) found.push(await lines("big.ts", line, line + 6));
    // Each kept whole, these would be 300 MB.
    expect([found.length, process.memoryUsage().heapUsed - before < 150_000_000]).toEqual([300, true]);
  });

  it("are looked up one after the other, with a deadline heard in between and within a large file", async () => {
    writeFileSync(join(folder, "big.ts"), "x = 1;\n".repeat(140_000));
    writeFileSync(join(folder, "huge.log"), "line\n");
    appendMuch(join(folder, "huge.log"));
    const lines = linesThrough(fence);
    for (const path of ["big.ts", "huge.log"]) {
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(new Error("Time is up.")), 20);
      const many = async (): Promise<void> => {
        for (let line = 1; line <= 3_000; line++) await lines(path, line, line, deadline.signal);
      };
      await expect(many()).rejects.toThrow("Time is up.");
      clearTimeout(timer);
    }
  });
});

/** 512 GB more, nearly all of them a hole: not one of them is needed to see that this takes too long. */
function appendMuch(file: string): void {
  writeFileSync(file, "some text\n".repeat(2_000), { flag: "a" });
  truncateSync(file, 2 ** 39);
  writeFileSync(file, `\n${"some text\n".repeat(2_000)}`, { flag: "a" });
}
