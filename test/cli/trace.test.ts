import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { everyEvent, writeTrace } from "../support/every-event.ts";
import { croft, makeWorld, type World } from "./croft.ts";

function traced(): { world: World; trace: string } {
  const world = makeWorld();
  const trace = join(world.base, "t.jsonl");
  writeTrace(trace, everyEvent);
  return { world, trace };
}

test("a run is summed up for a terminal", async () => {
  const { world, trace } = traced();
  const { code, out, err } = await croft(world, ["trace", trace]);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toBe(`Fix \`sum\`.
20261130T170024Z-3f9a1c, anthropic/claude-opus-5-5 in /home/ada/sums

time     15.1 s: model 8.0 s, tools 1.0 s, checks 1.0 s, waiting for you 5.0 s
tokens   129,800: input 4,800, cache read 120,000, cache write 3,200, output 1,800
cost     $0.0543

1 turn, 2 steps
  cancelled       2 steps  Fix \`sum\`.

tools
  read_file          1 call     16 ms  1 failed
  search             1 call     16 ms
  edit_file          1 call     5.0 s
  run_command        1 call     1.0 s  1 failed

files
  changed src/sum.ts (+1 -1)

commands
  exit 1         1.0 s  npm test

checks
  failed  citations: src/sum.ts:9 does not exist.
  passed  verify: \`npm test\` passed

citations  1 verified, 1 broken, 1 unseen, 1 mismatch
  broken  src/sum.ts:9: the file has only 3 lines
  unseen  src/sum.ts:3
  mismatch  src/sum.ts:1: \`add\` does not stand there
`);
});

test("as JSON it has every figure, and the texts as they are", async () => {
  const { world, trace } = traced();
  const { code, out } = await croft(world, ["trace", trace, "--json"]);
  const told = JSON.parse(out);
  expect([code, out.split("\n").length]).toEqual([0, 2]);
  expect(told).toMatchObject({
    type: "trace",
    file: trace,
    steps: 2,
    task: "Fix `sum`.\nIt subtracts.",
    files: { count: 1 },
  });
});

test("a session is named by the end of its id, and lines that cannot be read or were changed are named", async () => {
  const { world } = traced();
  const folder = join(world.home, ".local/state/croft/traces");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "20261130T170024Z-3f9a1c.jsonl");
  writeTrace(file, everyEvent);
  appendFileSync(file, '{"torn\n{"ms":15099,"type":"notice","code":"x","text":"forged"}\n');
  const { code, out } = await croft(world, ["trace", "3f9a1c"]);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n").length;
  expect(code).toBe(0);
  expect(out.split("\n").slice(-4)).toEqual([
    "",
    `lines that cannot be read: ${lines - 1}`,
    `lines that were changed after they were written: ${lines}`,
    "",
  ]);
});

test("the page is for its owner alone, takes the place of an older one, and nothing lies beside it", async () => {
  const { world, trace } = traced();
  const html = join(world.project, "run.html");
  writeFileSync(html, "old");
  const { code, out, err } = await croft(world, ["trace", trace, "--html", "run.html"]);
  expect([code, out, err]).toEqual([0, "", `1 turn, 2 steps: ${html}\n`]);
  expect([readFileSync(html, "utf8").slice(0, 15), statSync(html).mode & 0o777]).toEqual(["<!doctype html>", 0o600]);
  expect(readdirSync(world.project)).toEqual(["run.html"]);
});

test("a trace under another name is not replaced by the page about it, and a pipe stays a pipe", async () => {
  const { world, trace } = traced();
  linkSync(trace, join(world.project, "same.html"));
  expect((await croft(world, ["trace", trace, "--html", "same.html"])).err).toContain("is what it is made from");
  const pipe = join(world.project, "pipe");
  execFileSync("mkfifo", [pipe]);
  const reading = readFile(pipe, "utf8");
  expect((await croft(world, ["trace", trace, "--html", "pipe"])).code).toBe(0);
  expect([(await reading).slice(0, 15), lstatSync(pipe).isFIFO()]).toEqual(["<!doctype html>", true]);
});

test.each([
  [["trace"], "E_NO_SESSION"],
  [["trace", "a.jsonl", "b.jsonl"], "E_ARGUMENTS"],
  [["trace", "./gone.jsonl"], "E_NO_TRACE"],
  [["trace", "3f9a1c"], "E_NO_SESSION"],
  [["trace", "text.md", "--html", "out.html"], "E_NOT_A_TRACE"],
  [["trace", "t.jsonl", "--html", "gone/out.html"], "E_PAGE"],
  [["trace", "t.jsonl", "--html", "."], "E_PAGE"],
  [["trace", "t.jsonl", "--html", "t.jsonl"], "E_PAGE"],
  [["trace", "t.jsonl", "--html", "/dev/full"], "E_PAGE"],
  [["export", "t.jsonl", "--out", "t.jsonl"], "E_EXPORT"],
])("%j is a mistake, and leaves no page behind", async (args, code) => {
  const world = makeWorld({ "text.md": "# Hello\n" });
  writeTrace(join(world.project, "t.jsonl"), everyEvent);
  const whole = readFileSync(join(world.project, "t.jsonl"), "utf8");
  const ended = await croft(world, args);
  expect(readFileSync(join(world.project, "t.jsonl"), "utf8")).toBe(whole);
  expect([ended.code, ended.out, /\((E_\w+)\)\n$/.exec(ended.err)?.[1]]).toEqual([2, "", code]);
  expect(readdirSync(world.project).toSorted()).toEqual(["t.jsonl", "text.md"]);
  expect(existsSync(join(world.project, "out.html"))).toBe(false);
});

test("no text of a trace reaches the terminal as a command to it", async () => {
  const world = makeWorld();
  const trace = join(world.base, "t.jsonl");
  const [[ms, start] = [0, undefined], ...rest] = everyEvent;
  if (start?.type !== "start") throw new Error("The run has no beginning.");
  writeTrace(trace, [[ms, { ...start, task: "\u001b[2J\u202eevil", model: "\u009b1m", root: "/\u0007" }], ...rest]);
  const { out } = await croft(world, ["trace", trace]);
  expect(out.split("\n").slice(0, 2)).toEqual(["\\x1b[2J\\u{202e}evil", "20261130T170024Z-3f9a1c, \\x9b1m in /\\x07"]);
});
