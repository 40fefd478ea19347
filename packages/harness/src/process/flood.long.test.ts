import { readFileSync, statSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openBench, type Bench } from "./system/runner.testing.ts";

let bench: Bench;
beforeEach(() => {
  bench = openBench();
});
afterEach(() => bench.remove());

/** Bytes that stay in use; what merely waits to be collected is none of them. */
function inUse(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test.each([
  ["lines on both streams", "yes 0123456789 | head -c 500000000; yes 0123456789 | head -c 500000000 >&2"],
  ["one line", "head -c 1000000000 /dev/zero | tr '\\0' x"],
])("1 GB of output is read to its end in constant memory: %s", { timeout: 300_000 }, async (_, script) => {
  const before = inUse();
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, inUse())), 200);
  const ended = await bench.bash(script, 280_000);
  clearInterval(watch);
  const { text, bytes, file = "" } = ended.output;
  expect([ended.code, bytes, text.length <= 30_000, statSync(file).size]).toEqual([
    0,
    1_000_000_000,
    true,
    100_000_000,
  ]);
  expect(ended.notices).toEqual([`${file} holds only the beginning of the output: more than 100 MB.`]);
  expect(readFileSync(file, "latin1").startsWith(text.slice(0, 5_000))).toBe(true);
  expect(peak - before).toBeLessThan(150_000_000);
});

test("a flood of what has to be shown byte by byte is ended by the time", { timeout: 60_000 }, async () => {
  const ended = await bench.bash("cat /dev/urandom", 3_000);
  expect([ended.timedOut, ended.output.text.length <= 30_000]).toEqual([true, true]);
});
