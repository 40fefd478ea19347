/**
 * The quality budgets, measured: `npm run bench` (after `npm run build`), `npm run bench -- --json`, or the names of the benches
 * wanted. Figures are ratios taken in the same run; a budget that is passed is marked, and is a question, not a failed test.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Place, Row } from "./measure.ts";
import { searching } from "./search.ts";
import { startUp } from "./start-up.ts";
import { fiftySteps } from "./steps.ts";

const benches: Readonly<Record<string, (place: Place) => Promise<Row[]>>> = { startUp, fiftySteps, searching };

const { values, positionals } = parseArgs({ options: { json: { type: "boolean" } }, allowPositionals: true });
const base = mkdtempSync(join(tmpdir(), "croft-bench-"));
try {
  for (const [name, bench] of Object.entries(benches)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    for (const row of await bench(makePlace(join(base, name)))) print(row);
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

function print(row: Row): void {
  if (values.json === true) {
    process.stdout.write(`${JSON.stringify(row)}\n`);
    return;
  }
  const mark = row.value <= row.budget ? "  " : "! ";
  const figure = `${row.value.toFixed(2)} ${row.unit} (budget ${row.budget})`;
  process.stdout.write(`${mark}${row.what}: ${figure}, ${row.detail}\n`);
}
