/** The search tool, gate, fence and decoding included, against raw ripgrep on the same tree and query. */

import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { openReadOnly, policyGate } from "@croft/harness";
import { median, type Place, type Row } from "./measure.ts";

/** The very binary the harness brings. */
const { rgPath }: { rgPath: string } = createRequire(import.meta.resolve("@croft/harness"))("@vscode/ripgrep");
const files = 20_000;
const runs = 7;

export async function searching({ project }: Place): Promise<Row[]> {
  plant(project);
  const rows: Row[] = [];
  for (const [pattern, hits] of [
    ["needle_few", 20],
    ["needle_many", 1000],
  ] as const) {
    const ratios: number[] = [];
    for (let n = 0; n <= runs; n++) {
      const raw = await timed(() => rawSearch(project, pattern));
      const ours = await timed(() => toolSearch(project, pattern));
      if (n > 0) ratios.push(ours / raw);
    }
    rows.push({
      what: `search, ${hits} hits in ${files} files`,
      value: median(ratios),
      unit: "x ripgrep",
      budget: 1.3,
      detail: `median of ${runs} pairs`,
    });
  }
  return rows;
}

/** Files of some 2 kB; every thousandth holds a rare name, every twentieth a common one. */
function plant(project: string): void {
  const filler = Array.from(
    { length: 40 },
    (_, line) => `  const local_${line} = compute(${line}, "some text that is searched");`,
  );
  for (let n = 0; n < files; n++) {
    const folder = join(project, `package-${n % 100}`, `part-${n % 7}`);
    if (n < 700) mkdirSync(folder, { recursive: true });
    const needles = `${n % 1000 === 0 ? "needle_few\n" : ""}${n % 20 === 0 ? "needle_many\n" : ""}`;
    writeFileSync(join(folder, `file-${n}.ts`), `${filler.join("\n")}\n${needles}`);
  }
}

async function rawSearch(cwd: string, pattern: string): Promise<void> {
  const args = ["--no-config", "--line-number", "--hidden", "--no-require-git", "-e", pattern, "--", "."];
  await promisify(execFile)(rgPath, args, { cwd, maxBuffer: 100_000_000 });
}

async function toolSearch(root: string, pattern: string): Promise<void> {
  const tools = openReadOnly({ root, gate: policyGate() });
  const { ok, content } = await tools.call("search", { pattern, limit: 1000 }, new AbortController().signal);
  tools.close();
  if (!ok) throw new Error(`The search failed: ${JSON.stringify(content)}`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
