/** Searches, gate, fence and decoding included, against raw ripgrep on the same tree and query. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFence, openWorkspace, policyGate, readOnlyPolicy, ripgrep } from "@croft/harness";
import { fileURLToPath } from "node:url";
import { peakOf, rawSearch, timed, toolSearch, versus, type Place, type Row } from "./measure.ts";

const files = 30_000;
const runs = 7;
const searchAll = fileURLToPath(new URL("search-all.ts", import.meta.url));

/** Names to look for: in every so many files, so many times each. */
const needles = {
  needle_few: { every: 1_500, times: 1 },
  needle_many: { every: 60, times: 2 },
  needle_most: { every: 15, times: 10 },
  needle_full: { every: 15, times: 100 },
  needle_vast: { every: 15, times: 200 },
} as const;
type Needle = keyof typeof needles;

export async function searching({ project }: Place): Promise<Row[]> {
  plant(project);
  const tool = (pattern: Needle) => (): Promise<void> => toolSearch(project, { pattern, limit: 1000 });
  return [
    await against(project, "needle_few", tool("needle_few"), 1.3),
    await against(project, "needle_many", tool("needle_many"), 1.3),
    await against(project, "needle_most", () => wholeSearch(project, "needle_most"), 2),
    await memory(project),
  ];
}

async function against(project: string, pattern: Needle, ours: () => Promise<void>, budget: number): Promise<Row> {
  const { ratio, measured, floor } = await versus(timed, ours, () => rawSearch(project, pattern, "."), runs);
  const { every, times } = needles[pattern];
  return {
    what: `search, ${(files / every) * times} hits in ${files / every} of ${files} files`,
    value: ratio,
    unit: "x ripgrep",
    budget,
    detail: `${measured.toFixed(0)} ms against ${floor.toFixed(0)}`,
  };
}

/**
 * Twice the hits take no more memory, for they are handed on as they come. Up to some 100,000 of them the space that V8
 * gives to what is new still grows.
 */
async function memory(project: string): Promise<Row> {
  const peak = (pattern: Needle): Promise<number> => peakOf({ args: [searchAll, project, pattern], cwd: project });
  const most = await peak("needle_most");
  const full = await peak("needle_full");
  const vast = await peak("needle_vast");
  return {
    what: "memory of a search, 400000 hits against 200000",
    value: vast / full,
    unit: "x 200000",
    budget: 1.1,
    detail: `${vast.toFixed(0)} MiB against ${full.toFixed(0)}; ${most.toFixed(0)} at 20000`,
  };
}

/** Source files of some 8 kB and a folder that is ignored, as in a large repository. */
function plant(project: string): void {
  mkdirSync(join(project, "build"));
  writeFileSync(join(project, "build", "out.js"), "built();\n");
  writeFileSync(join(project, ".gitignore"), "build/\n");
  for (let n = 0; n < files; n++) {
    const folder = join(project, `package-${n % 100}`, `part-${n % 7}`);
    if (n < 700) mkdirSync(folder, { recursive: true });
    const lines = Array.from(
      { length: 30 + (n % 200) },
      (_, line) => `  const local_${line} = compute(${line}, "some text");`,
    );
    for (const [needle, { every, times }] of Object.entries(needles)) {
      if (n % every === 0) lines.push(...Array.from({ length: times }, () => `call(${needle});`));
    }
    writeFileSync(join(folder, `file-${n}.ts`), `${lines.join("\n")}\n`);
  }
}

/** As a program searches that wants every hit. */
async function wholeSearch(root: string, pattern: Needle): Promise<void> {
  const fence = openFence(root, readOnlyPolicy());
  const workspace = openWorkspace({ fence, gate: policyGate(), search: ripgrep("") });
  let hits = 0;
  for await (const hit of workspace.search({ pattern }, new AbortController().signal)) hits += "done" in hit ? 0 : 1;
  fence.close();
  const { every, times } = needles[pattern];
  if (hits !== (files / every) * times) throw new Error(`${hits} hits were found.`);
}
