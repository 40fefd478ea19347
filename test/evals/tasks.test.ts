/** The eval as a whole, with a model that does some tasks and only claims to have done others. */

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { call, reply, say, type ServerReply, type ServerScript } from "@croft/harness/testing";
import { tasks, type Task } from "../../evals/rig/task.ts";
import { until } from "../cli/croft.ts";
import { key, serve } from "../cli/server.ts";
import { needs } from "../support/needs.ts";

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "croft-eval-test-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe.runIf(process.platform === "linux" && needs("bwrap"))("where a sandbox is", () => {
  test("what was done passes, what was only claimed does not, and two settings stand side by side", async () => {
    const { code, out, folder } = await evaluated(
      playing({ "keep-bytes": solve, "null-check": solve, "off-by-one": claim }),
      ["--only", "keep-bytes,null-check,off-by-one", "--with", "--max-turns 9", "--against", "--max-turns '1'"],
    );
    const lines = out.trimEnd().split("\n");
    expect(code).toBe(0);
    expect(lines.slice(0, 6).toSorted()).toEqual([
      "FAIL  A  off-by-one: done, 1 step; failed: full pages are not followed by an empty one, each item is on one page, the last page is among the neighbours",
      "FAIL  B  keep-bytes: max_turns, 1 step; failed: two lines are new, and every other byte is what it was",
      "FAIL  B  null-check: max_turns, 1 step; failed: orders without customer or address belong to an unknown city, a guest has no discount, and an agreed one of nothing is one, a label can be printed for anybody",
      "FAIL  B  off-by-one: done, 1 step; failed: full pages are not followed by an empty one, each item is on one page, the last page is among the neighbours",
      "pass  A  keep-bytes: done, 3 steps",
      "pass  A  null-check: done, 3 steps",
    ]);
    const [a, rest] = [/^ +A +B$/, lines.slice(7).map((line) => line.replace(/[\d,]{5,} +0\.\d{4} +\d+\.\d s/g, "…"))];
    expect(lines[6]).toMatch(a);
    expect(rest.map((line) => line.replaceAll(/ +/g, " "))).toEqual([
      "task passed status steps tokens dollars time passed status steps tokens dollars time",
      "keep-bytes yes done 3 … NO max_turns 1 …",
      "null-check yes done 3 … NO max_turns 1 …",
      "off-by-one NO done 1 … NO done 1 …",
      "sum 2 of 3 7 … 0 of 3 3 …",
      "A: croft run --yes --max-turns 9",
      "B: croft run --yes --max-turns 1",
      "A alone, or more often: keep-bytes, null-check",
      "B alone, or more often: none",
    ]);
    expect(readdirSync(join(folder, "tmp"))).toEqual([]);
  });

  test("a project that ends the process when it is loaded passes no test", async () => {
    const { out } = await evaluated(playing({ "off-by-one": cheat }), ["--only", "off-by-one"]);
    expect(out.split("\n")[0]).toMatch(/^FAIL {2}A {2}off-by-one: done, 3 steps; failed: full pages are not followed/);
  });

  test("in JSON each attempt is a line with all that was measured, and traces are kept where they are asked for", async () => {
    const traces = makeFolder();
    const { out } = await evaluated(playing({ "off-by-one": solve }), [
      "--json",
      "--only=off-by-one",
      "--runs=2",
      "--jobs=2",
      `--traces=${traces}`,
    ]);
    const outcome = (run: number): object => ({
      run,
      setting: "A",
      task: "off-by-one",
      passed: true,
      failed: [],
      status: "done",
      steps: 3,
      tokens: expect.any(Number),
      dollars: expect.any(Number),
      seconds: expect.any(Number),
    });
    const lines = out.trimEnd().split("\n").toSorted();
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([outcome(1), outcome(2)]);
    expect(readdirSync(traces).toSorted()).toEqual(["off-by-one-A-1.jsonl", "off-by-one-A-2.jsonl"]);
  });
});

test.each(["SIGINT", "SIGTERM"] as const)("%s ends it with nothing left behind", async (signal) => {
  const silence = await serve([reply(say("Never said."), { delayMs: 600_000 })]);
  const { child, ended, folder } = start(silence.url, []);
  await until(() => silence.requests.length === 1);
  expect(readdirSync(join(folder, "tmp"))).toContainEqual(expect.stringMatching(/^croft-eval-/));
  child.kill(signal);
  expect((await ended).code).toBe(signal === "SIGINT" ? 130 : 143);
  expect(readdirSync(join(folder, "tmp"))).toEqual([]);
});

test.each([
  [["--only", "off-by-two"], "There is no task off-by-two."],
  [["--runs", "0"], "--runs takes a whole number from 1."],
  [["--with", "--modle x"], "croft run ended with 2 before it did anything: croft: Unknown option"],
])("%j is a mistake that is told", async (args, words) => {
  const { code, err, folder } = await evaluated([], args);
  expect([code, err]).toEqual([1, expect.stringContaining(words)]);
  expect(readdirSync(join(folder, "tmp"))).toEqual([]);
});

type Part = (task: Task, step: number) => ServerReply;

/** Reads all that the solution is about, makes it, and says so. */
const solve: Part = ({ solution }, step) => {
  const patch = readFileSync(solution, "utf8");
  const paths = Array.from(patch.matchAll(/^--- a\/(.+)$/gm), ([, path = ""]) => path);
  const steps = [
    paths.map((path) => call("read_file", { path })),
    call("apply_patch", { patch }),
    say("It is done as you asked."),
  ];
  return steps[step] ?? say("?");
};

const claim: Part = () => say("I have fixed it, and all tests pass.");

const cheat: Part = (_, step) => {
  const path = "src/paging.js";
  const line = "/** How many pages there are. */";
  const steps = [
    call("read_file", { path }),
    call("edit_file", { path, old_string: line, new_string: `process.exit(0);\n${line}` }),
    say("I have fixed it, and all tests pass."),
  ];
  return steps[step] ?? say("?");
};

/** A model that knows a task by its words, and how far it is by what it has said. */
function playing(parts: Readonly<Record<string, Part>>): ServerScript {
  const known = tasks(Object.keys(parts)).map((task) => ({ task, words: readFileSync(task.words, "utf8").trim() }));
  return ({ messages }) => {
    const asked = JSON.stringify(messages[0]?.content);
    const { task } = known.find(({ words }) => asked.includes(JSON.stringify(words).slice(1, -1))) ?? {};
    const part = task === undefined ? undefined : parts[task.name];
    const step = messages.filter(({ role }) => role === "assistant").length;
    return task === undefined || part === undefined ? say("This is no task of mine.") : part(task, step);
  };
}

type Evaluated = { code: number | null; out: string; err: string };

function start(url: string, args: readonly string[]) {
  const folder = makeFolder();
  for (const name of ["home", "tmp"]) mkdirSync(join(folder, name));
  const places = { HOME: join(folder, "home"), TMPDIR: join(folder, "tmp") };
  const child = spawn(process.execPath, [join(import.meta.dirname, "../../evals/tasks.ts"), ...args], {
    env: { PATH: process.env["PATH"], ...places, ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const text = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk) => (text.out += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk) => (text.err += chunk));
  const { promise, resolve } = Promise.withResolvers<Evaluated>();
  child.on("close", (code) => resolve({ code, ...text }));
  onTestFinished(async () => {
    child.kill("SIGINT");
    await promise;
  });
  return { child, ended: promise, folder };
}

async function evaluated(script: ServerScript, args: readonly string[]): Promise<Evaluated & { folder: string }> {
  const { url } = await serve(script);
  const { ended, folder } = start(url, args);
  return { ...(await ended), folder };
}
