/**
 * How well the offline model finds its way in a checkout: `node evals/lookup.ts <checkout> [--n 20] [--seed 1]`.
 *
 * Draws names at random from what Universal Ctags finds defined, asks "Where is `X` defined, and who calls it?", and
 * compares. The definition must be among the answer's; a use is every line that ripgrep finds whole-word, without those
 * that ctags calls definitions and those where Pygments sees only a comment or string. That truth has errors of its
 * own, so every disagreement is printed, to be judged by reading. Needs ctags, and python3 with Pygments.
 */

import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import "./lookup/markdown.ts";
import type { Asked } from "./lookup/drive.ts";
import { draw, tagsOf, type Tag } from "./lookup/draw.ts";
import { usesOf } from "./lookup/truth.ts";

type Lookup = {
  tag: Tag;
  found: boolean;
  /** Lines told as uses, lines that are, and those in both. */
  told: number;
  real: number;
  right: number;
  capped: boolean;
  citations: Asked["citations"];
  status: string;
  steps: number;
  chars: number;
};

const states = ["verified", "broken", "unseen", "mismatch"] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    n: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    verbose: { type: "boolean" },
  },
});
const [root] = positionals;
if (root === undefined) throw new Error("Say which checkout: node evals/lookup.ts <checkout>");

// Only now can it be imported: it brings the words of the tools with it.
const { drive } = await import("./lookup/drive.ts");
const tags = tagsOf(root);
const lookups: Lookup[] = [];
for (const tag of draw(tags, Number(values.n), Number(values.seed))) lookups.push(await lookUp(root, tag));
report(lookups);

async function lookUp(checkout: string, tag: Tag): Promise<Lookup> {
  const asked = await drive(checkout, `Where is \`${tag.name}\` defined, and who calls it?`);
  const defined = new Set([...placesUnder(asked, /^## Definitions/m), ...placesUnder(asked, /^## Local variables/m)]);
  const uses = new Set([...placesUnder(asked, /^## Calls/m), ...placesUnder(asked, /^## Other uses/m)]);
  const truth = usesOf(checkout, tag.name, tags);
  const capped = /more lines are not listed|Stopped at/.test(asked.answer);
  const right = [...uses].filter((place) => truth.has(place)).length;
  const place = `${tag.path}:${tag.line}`;
  const wrong = [...uses].filter((use) => !truth.has(use));
  const missed = capped ? [] : [...truth].filter((use) => !uses.has(use));
  print(`${tag.name} (${tag.kind}, ${place}): ${uses.size} told, ${truth.size} real${capped ? ", capped" : ""}`);
  if (!defined.has(place)) print(`  NOT FOUND; told instead: ${[...defined].slice(0, 5).join(" ")}`);
  for (const { ref, state, reason } of asked.citations)
    if (state !== "verified") print(`  ${state}: ${ref} ${reason ?? ""}`);
  for (const use of wrong.slice(0, 12)) print(`  told, not real: ${use}: ${lineAt(checkout, use)}`);
  for (const use of missed.slice(0, 12))
    print(`  real, not told: ${use}: ${lineAt(checkout, use)}${defined.has(use) ? " [told as definition]" : ""}`);
  if (values.verbose) print(asked.answer.replace(/^/gm, "  | "));
  return {
    tag,
    found: defined.has(place),
    told: uses.size,
    real: capped ? right : truth.size,
    right,
    capped,
    citations: asked.citations,
    status: asked.status,
    steps: asked.steps,
    chars: asked.chars,
  };
}

function report(all: readonly Lookup[]): void {
  const sum = (pick: (lookup: Lookup) => number): number => all.reduce((total, lookup) => total + pick(lookup), 0);
  const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
  print(`
names                 ${all.length}
definition found      ${percent(
    sum(({ found }) => Number(found)),
    all.length,
  )}
uses, precision       ${percent(
    sum(({ right }) => right),
    sum(({ told }) => told),
  )} of ${sum(({ told }) => told)} told
uses, recall          ${percent(
    sum(({ right }) => right),
    sum(({ real }) => real),
  )} of ${sum(({ real }) => real)} real (of capped lists: what they list)
capped lists          ${sum(({ capped }) => Number(capped))}
citations             ${states.map((state) => `${state} ${sum(({ citations }) => citations.filter((each) => each.state === state).length)}`).join(", ")}
not done              ${sum(({ status }) => Number(status !== "done"))}
steps, most           ${Math.max(...all.map(({ steps }) => steps))}
characters read, mean ${Math.round(sum(({ chars }) => chars) / all.length)}`);
}

function placesUnder({ answer }: Asked, heading: RegExp): Set<string> {
  const start = answer.search(heading);
  if (start === -1) return new Set();
  const section = answer.slice(start).split(/\n(?=## )/)[0] ?? "";
  return new Set(Array.from(section.matchAll(/^- `?(.+?:\d+)[`: ]/gm), (match) => match[1] ?? ""));
}

function lineAt(checkout: string, place: string): string {
  const [, path = "", line = ""] = /^(.*):(\d+)$/.exec(place) ?? [];
  return spawnSync("sed", ["-n", `${line}p`, path], { cwd: checkout, encoding: "utf8" })
    .stdout.trim()
    .slice(0, 110);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
