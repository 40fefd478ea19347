/** What holding a file by descriptor, judging where it led and reading it costs over doing neither, call by call. */

import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openFence, readOnlyPolicy } from "@croft/harness";
import { median, type Place, type Row } from "./measure.ts";

const rounds = 60;
const files = Array.from({ length: 100 }, (_, n) => `src/file-${n + 1}.ts`);

export async function opening({ project }: Place): Promise<Row[]> {
  const fence = openFence(project, readOnlyPolicy());
  const pin = (path: string): void => fence.pin(path, "read")[Symbol.dispose]();
  const open = (path: string): void => closeSync(openSync(join(project, path), "r"));
  const readWhole = (path: string): void => {
    using file = fence.pin(path, "read");
    fence.content(file, 1_000_000);
  };
  const readPlain = (path: string): unknown => readFileSync(join(project, path));
  const rows = [
    over("holding a file over opening it", pin, open),
    over("reading a held file whole over reading it by path", readWhole, readPlain),
  ];
  fence.close();
  return rows;
}

/** Both in turn, round by round; the first rounds only warm up. */
function over(what: string, ours: (path: string) => void, plain: (path: string) => void): Row {
  const more: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < 2 * rounds; round++) {
    const floor = each(plain);
    const measured = each(ours);
    if (round < rounds) continue;
    bare.push(floor);
    more.push(measured - floor);
  }
  return { what, value: median(more), unit: "us more", budget: 60, detail: `plainly ${median(bare).toFixed(1)} us` };
}

/** Microseconds a file. */
function each(act: (path: string) => void): number {
  const began = performance.now();
  for (const file of files) act(file);
  return ((performance.now() - began) * 1000) / files.length;
}
