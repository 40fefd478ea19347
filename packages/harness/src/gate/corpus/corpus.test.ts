import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { Readable } from "node:stream";
import fc from "fast-check";
import { afterAll, assert, beforeAll, expect, test } from "vitest";
import { commandPolicy } from "../command-rules.ts";
import { strictestFirst } from "../commands/decide.ts";
import { disguised, optioned, soup } from "./generated.testing.ts";

const policy = commandPolicy();

/** What the defaults decide, each in a file with a text a line; pictures stand for line feeds and tabs. */
const corpus = (["allow", "unlisted", "ask"] as const).flatMap((decision) =>
  readFileSync(new URL(`${decision}.txt`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => ({ text: line.replaceAll("␤", "\n").replaceAll("␉", "\t"), decision })),
);

test("the defaults decide about each text of the corpus as it says", () => {
  expect(corpus.length).toBeGreaterThan(800);
  const wrong = corpus.flatMap(({ text, decision }) => {
    const verdict = policy.judge(text);
    return verdict.decision === decision ? [] : [`${decision} expected of ${JSON.stringify(text)}: ${verdict.rule}`];
  });
  expect(wrong).toEqual([]);
});

/** They only say that they were run, and with what. */
const stubs = ["rm", "git", "touch", "ls", "find", "sort", "npm", "curl", "python", "head", "wc", "grep", "rg", "make"];
/** They run others, as they are. */
const real = ["bash", "sh", "env", "xargs", "timeout", "nice", "nohup", "stdbuf", "cat"];

const bash = onPath("bash");
let home = "";

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "croft-bash-"));
  await mkdir(join(home, "bin"));
  for (const name of real) await symlink(onPath(name) ?? "/nowhere", join(home, "bin", name));
  const stub = `#!/bin/sh\nprintf '%s\\0' "$#" "\${0##*/}" "$@" >&3\n`;
  for (const name of stubs) await writeFile(join(home, "bin", name), stub, { mode: 0o755 });
});

afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

function onPath(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Every stub that bash ran for a text, with its arguments. */
async function ranBy(text: string): Promise<readonly (readonly string[])[]> {
  const cwd = join(home, "cwd");
  await mkdir(cwd);
  const env = { PATH: join(home, "bin"), HOME: cwd };
  const stdio = ["ignore", "ignore", "ignore", "pipe"] as const;
  const child = spawn(bash ?? "bash", ["-c", text], { cwd, env, detached: true, stdio: [...stdio] });
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), 5000);
  // It ends with the last process that holds it, in the background too.
  const pipe = child.stdio[3];
  assert(pipe instanceof Readable);
  const report = await textOf(pipe);
  clearTimeout(timer);
  await rm(cwd, { recursive: true });
  const fields = report.split("\0").slice(0, -1);
  const ran: string[][] = [];
  while (fields.length > 0) ran.push(fields.splice(0, 2 + Number(fields[0])).slice(1));
  return ran;
}

/** What bash ran although the text is judged more leniently than that command by itself. */
async function unseen(text: string): Promise<readonly string[]> {
  const { decision } = policy.judge(text);
  if (decision === "ask") return [];
  return (await ranBy(text))
    .filter((argv) => strictness(policy.judge(argv).decision) < strictness(decision))
    .map((argv) => `${decision} ${JSON.stringify(text)} ran ${JSON.stringify(argv)}`);
}

function strictness(decision: (typeof strictestFirst)[number]): number {
  return strictestFirst.indexOf(decision);
}

/** They would reach beyond a temporary folder, or go on for ever. */
const unfit = /\/(?!dev\/null)|while|until|sleep|:\(\)|~/;

test.skipIf(bash === undefined)("whatever bash runs of the corpus was seen", async () => {
  const found: string[] = [];
  for (const { text } of corpus.filter((each) => !unfit.test(each.text))) found.push(...(await unseen(text)));
  expect(found).toEqual([]);
});

const commands = ["rm a", "git push", "git log", "touch a", "find . -delete", "sort -o a", "git branch -D a"];

test.skipIf(bash === undefined)("whatever bash runs of a disguised command was seen", async () => {
  const texts = fc.constantFrom(...commands).chain((command) => disguised(command.split(" ")));
  const property = fc.asyncProperty(texts, async (text) => {
    expect(await unseen(text)).toEqual([]);
  });
  await fc.assert(property, { numRuns: 1000 });
});

test.skipIf(bash === undefined)("whatever a program runs that runs others was seen", async () => {
  const property = fc.asyncProperty(optioned(), async (text) => {
    expect(await unseen(text)).toEqual([]);
  });
  await fc.assert(property, { numRuns: 600 });
});

test.skipIf(bash === undefined)("whatever bash runs of a soup of tokens was seen", async () => {
  const texts = soup().filter((text) => !/\w\s*\(\s*\)/.test(text));
  const property = fc.asyncProperty(texts, async (text) => {
    expect(await unseen(text)).toEqual([]);
  });
  await fc.assert(property, { numRuns: 2000 });
});
