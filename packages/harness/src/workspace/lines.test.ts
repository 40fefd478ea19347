import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readOnlyPolicy } from "../policy/presets.ts";
import type { Fence } from "./fence.ts";
import { linesThrough } from "./lines.ts";
import { openFence } from "./local.ts";

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

describe("lines for a check", () => {
  it("are those that exist of what was asked for, with the number the file has", async () => {
    writeFileSync(join(folder, "a.ts"), "one\r\ntwo\r\nthree\r\n");
    symlinkSync("a.ts", join(folder, "link.ts"));
    const lines = linesThrough(fence);
    expect(await lines("a.ts", 2, 9)).toEqual({ path: "a.ts", lines: ["two", "three"], total: 3 });
    expect(await lines("./link.ts", 1, 1)).toEqual({ path: "a.ts", lines: ["one"], total: 3 });
    expect(await lines("a.ts", 7, 9)).toEqual({ path: "a.ts", lines: [], total: 3 });
  });

  it("are none where nothing may be read: absent, denied, outside, a folder, binary", async () => {
    writeFileSync(join(folder, ".env"), "KEY=1\n");
    writeFileSync(join(folder, "b.bin"), "\0\0\n");
    const lines = linesThrough(fence);
    for (const path of ["none.ts", ".env", "../x", "/etc/passwd", ".", "b.bin", "", "a\0b"]) {
      expect(await lines(path, 1, 1)).toBeUndefined();
    }
  });

  it("come out of a file too large to hold as well", async () => {
    const text = Array.from({ length: 200_000 }, (_, index) => `line ${index + 1}`).join("\n");
    writeFileSync(join(folder, "big.log"), `${text}\n${"x".repeat(50_000)}`);
    const found = await linesThrough(fence)("big.log", 199_999, 200_003);
    expect(found).toEqual({
      path: "big.log",
      lines: ["line 199999", "line 200000", "x".repeat(10_000)],
      total: 200_001,
    });
  });
});
