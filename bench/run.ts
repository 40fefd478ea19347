/**
 * The quality budgets, measured: `npm run bench` (after `npm run build`), with `--json` a line of JSON for each figure,
 * with `--long` also what takes minutes, or the names of the benches wanted. Figures are ratios taken in the same run;
 * one that is over its budget is a question, not a failed test.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { artifacts } from "./artifacts.ts";
import { enclosing } from "./enclosure.ts";
import { largeFile } from "./large-file.ts";
import { longSession } from "./long-session.ts";
import type { Place, Row } from "./measure.ts";
import { opening } from "./open.ts";
import { firstPrompt } from "./prompt.ts";
import { searching } from "./search.ts";
import { startUp } from "./start-up.ts";
import { fiftySteps, growth } from "./steps.ts";
import { storedSessions } from "./stored-sessions.ts";

const quick = { startUp, firstPrompt, fiftySteps, growth, opening, searching, enclosing };
const long = { largeFile, longSession, storedSessions, artifacts };

const { values, positionals } = parseArgs({
  options: { json: { type: "boolean" }, long: { type: "boolean" } },
  allowPositionals: true,
});
const all = Object.entries({ ...quick, ...long });
const wanted = positionals.length > 0 ? positionals : Object.keys({ ...quick, ...(values.long === true && long) });
const base = mkdtempSync(join(tmpdir(), "croft-bench-"));
try {
  if (values.json !== true) print("figure", "", "budget", "");
  for (const [name, bench] of all) {
    if (!wanted.includes(name)) continue;
    for (const row of await bench(makePlace(join(base, name)))) report(row);
    rmSync(join(base, name), { recursive: true });
  }
} finally {
  rmSync(base, { recursive: true, force: true });
}

function makePlace(folder: string): Place {
  const place = { project: join(folder, "project"), home: join(folder, "home") };
  mkdirSync(place.home, { recursive: true });
  mkdirSync(join(place.project, "src"), { recursive: true });
  for (let n = 1; n <= 200; n++) {
    const lines = Array.from({ length: 100 }, (_, line) => `export const value${n}_${line} = ${line};`);
    writeFileSync(join(place.project, "src", `file-${n}.ts`), `export const value${n} = ${n};\n${lines.join("\n")}\n`);
  }
  return place;
}

function report(row: Row): void {
  if (values.json === true) {
    process.stdout.write(`${JSON.stringify(row)}\n`);
    return;
  }
  const mark = row.value <= row.budget ? "ok" : "over";
  print(row.what, `${row.value.toFixed(2)} ${row.unit}`, `${row.budget}  ${mark}`, row.detail);
}

function print(...[what, figure, budget, detail]: readonly [string, string, string, string]): void {
  process.stdout.write(`${what.padEnd(62)} ${figure.padEnd(16)} ${budget.padEnd(10)} ${detail}\n`);
}
