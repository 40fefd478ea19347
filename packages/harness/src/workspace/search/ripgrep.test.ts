import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Done } from "../fence.ts";
import { ripgrep } from "./ripgrep.ts";
import type { Lookup } from "../search.ts";
import { openDescriptors, plantTree, type Planted, type Tree } from "../tree.testing.ts";

let tree: Tree;
afterEach(() => tree.remove());

const never = new AbortController().signal;
const complete: Done = { done: true, complete: true, skipped: undefined };

/** Plants a tree and gives what is proposed in it: path:line, sorted, and how the search ended. */
async function find(
  entries: Record<string, Planted>,
  lookup: Partial<Lookup> = {},
): Promise<{ found: string[]; done: Done }> {
  tree = plantTree(entries);
  return findAgain(lookup);
}

async function findAgain({ cwd = ".", ...lookup }: Partial<Lookup> = {}): Promise<{ found: string[]; done: Done }> {
  const found: string[] = [];
  for await (const one of ripgrep("").search(
    { pattern: "needle", cwd: join(tree.root, cwd), atRoot: cwd === ".", ...lookup },
    never,
  )) {
    if ("done" in one) return { found: found.sort(), done: one };
    found.push(`${one.path}:${one.line}`);
  }
  throw new Error("no done item");
}

test("a proposal tells where the line and the match begin", async () => {
  tree = plantTree({ "a.txt": "one\né needle needle\n" });
  const all = [];
  for await (const one of ripgrep("").search({ pattern: "needle", cwd: tree.root, atRoot: true }, never)) all.push(one);
  expect(all).toEqual([{ path: "a.txt", line: 2, column: 3, offset: 4 }, complete]);
});

test("$ stands before the end of a line, whatever ends it", async () => {
  const entries = {
    "crlf.txt": "a needle\r\nneedle b\r\n",
    "lf.txt": "a needle\nneedle b\n",
    "mixed.txt": "a needle\nneedle\r\nneedle",
    "utf16.txt": Buffer.from("\ufeffa needle\r\n\r\n", "utf16le"),
  };
  const { found } = await find(entries, { pattern: "needle$" });
  expect(found).toEqual(["crlf.txt:1", "lf.txt:1", "mixed.txt:1", "mixed.txt:2", "mixed.txt:3", "utf16.txt:1"]);
  expect((await findAgain({ pattern: "^$" })).found).toEqual(["utf16.txt:2"]);
});

test("hidden files are searched, git's own are not, and ignored ones are passed over and said", async () => {
  const { found, done } = await find({
    ".gitignore": "build/\n*.log\n",
    ".hidden/a": "needle",
    ".git/HEAD": "needle",
    "sub/.git": "needle",
    "build/a": "needle",
    "a.log": "needle",
    "sub/deep/b": "needle",
  });
  expect(found).toEqual([".hidden/a:1", "sub/deep/b:1"]);
  expect(done).toEqual({ done: true, complete: true, skipped: "ignored files (.gitignore and the like)" });
});

test("an ignore file that rules nothing out is not spoken of", async () => {
  expect(await find({ ".gitignore": "*.log\n", ".git/HEAD": "", a: "needle" })).toEqual({
    found: ["a:1"],
    done: complete,
  });
});

test("negated rules hold, and rules from above the folder, as far up as the repository goes", async () => {
  const entries = {
    ".gitignore": "needles.txt",
    "repo/.git/HEAD": "",
    "repo/.gitignore": ".cache/\nout/*\n!out/web/\n",
    "repo/out/a": "needle",
    "repo/out/web/i.html": "needle",
    "repo/sub/.cache/x": "needle",
    "repo/sub/needles.txt": "needle",
  };
  expect((await find(entries, { cwd: "repo" })).found).toEqual(["out/web/i.html:1", "sub/needles.txt:1"]);
  expect((await findAgain({ cwd: "repo/sub" })).found).toEqual(["needles.txt:1"]);
});

test("a repository within a repository has rules of its own", async () => {
  const entries = { ".git/HEAD": "", ".gitignore": "a\nworktrees/\n", "sub/.git": "gitdir: x", "sub/a": "needle" };
  expect((await find({ ...entries, "worktrees/w/b": "needle", a: "needle" })).found).toEqual(["sub/a:1"]);
});

test("outside a repository ignore files count from the root down", async () => {
  const entries = { ".gitignore": "a\n", "sub/a": "needle", "sub/b": "needle" };
  expect((await find(entries)).found).toEqual(["sub/b:1"]);
  expect((await findAgain({ cwd: "sub" })).found).toEqual(["b:1"]);
  expect((await findAgain({ cwd: "sub", atRoot: true })).found).toEqual(["a:1", "b:1"]);
});

test("ignore files that stand above the top of a repository are nobody's here", async () => {
  const planted = { ".ignore": "*\n", ".rgignore": "*\n", "repo/.git/HEAD": "", "repo/a": "needle" };
  tree = plantTree(planted);
  const found = [];
  for await (const one of ripgrep("").search({ pattern: "needle", cwd: join(tree.root, "repo"), atRoot: true }, never))
    found.push(one);
  expect(found).toEqual([{ path: "a", line: 1, column: 0, offset: 0 }, complete]);
});

test.runIf(process.platform === "linux")(
  "an ignore file without end ends the search, not the machine; a file that is named needs none",
  async () => {
    tree = plantTree({ ".ignore": { link: "/dev/zero" }, "sub/.gitignore": { link: "/dev/zero" }, "sub/a": "needle" });
    await expect(findAgain()).rejects.toMatchObject({
      code: "E_SEARCH_FAILED",
      message: expect.stringMatching("memory"),
    });
    expect((await findAgain({ cwd: "sub", file: "a" })).found).toEqual(["a:1"]);
  },
  60_000,
);

test("an ignored or hidden folder is searched when it is the one that was named", async () => {
  const entries = { ".gitignore": "dist/\n", "dist/sub/a": "needle", ".cfg/a": "needle" };
  expect(await find(entries, { cwd: "dist" })).toEqual({ found: ["sub/a:1"], done: complete });
  expect(await findAgain({ cwd: ".cfg" })).toEqual({ found: ["a:1"], done: complete });
});

test("a glob narrows the search and brings no ignored file back", async () => {
  const entries = {
    ".gitignore": "*.gen.ts\nnode_modules/\n",
    "a.ts": "needle",
    "a.gen.ts": "needle",
    "src/b.ts": "needle",
    "src/b.tsx": "needle",
    "src/c.md": "needle",
    "node_modules/d.ts": "needle",
    ".e.ts": "needle",
  };
  expect((await find(entries, { glob: "*.ts" })).found).toEqual([".e.ts:1", "a.ts:1", "src/b.ts:1"]);
  expect((await findAgain({ glob: "**/*.ts" })).found).toEqual([".e.ts:1", "a.ts:1", "src/b.ts:1"]);
  expect((await findAgain({ glob: "src/**" })).found).toEqual(["src/b.ts:1", "src/b.tsx:1", "src/c.md:1"]);
  expect((await findAgain({ glob: "src/*.{ts,md}" })).found).toEqual(["src/b.ts:1", "src/c.md:1"]);
  expect((await findAgain({ glob: "[ab].ts" })).found).toEqual(["a.ts:1", "src/b.ts:1"]);
  await expect(findAgain({ glob: "../*.ts" })).rejects.toMatchObject({ code: "E_BAD_GLOB" });
});

test("names with a line break, quote, colon or leading dash are told apart, and others are counted", async () => {
  tree = plantTree({
    'a\n"b': "needle",
    "-e:12:x": "needle",
    "c d": "needle",
    "e: WARNING": "needle",
    "--pre=x": "needle",
  });
  writeFileSync(Buffer.concat([Buffer.from(`${tree.root}/`), Buffer.of(0xff)]), "needle");
  const { found, done } = await findAgain();
  expect(found).toEqual(["--pre=x:1", "-e:12:x:1", 'a\n"b:1', "c d:1", "e: WARNING:1"]);
  expect(done).toEqual({ done: true, complete: false, skipped: "1 matches in files whose names are not UTF-8" });
});

test("binary files end where they turn out to be, UTF-16 is searched, links are not followed", async () => {
  const { found } = await find({
    binary: "needle\n\0",
    late: `needle\n${"x\n".repeat(100_000)}\0\nneedle\n`,
    late2: "needle",
    utf16: Buffer.from("\ufeffone\nneedle\n", "utf16le"),
    loop: { link: "." },
    up: { link: ".." },
    system: { link: "/" },
    outside: { link: "OUTSIDE" },
  });
  expect(found).toEqual(["late2:1", "late:1", "utf16:2"]);
});

test("one file is searched alone, whatever it is called and whether or not it is ignored", async () => {
  const entries = { ".gitignore": "*", "-f": "a\nneedle\n", "-": "needle", other: "needle" };
  expect(await find(entries, { file: "-f" })).toEqual({ found: ["-f:2"], done: complete });
  expect(await findAgain({ file: "-" })).toEqual({ found: ["-:1"], done: complete });
});

test("after so many matches a file is left", async () => {
  expect((await find({ a: "needle\n".repeat(9), b: "needle" }, { perFile: 2 })).found).toEqual(["a:1", "a:2", "b:1"]);
});

test("patterns that look like options are patterns", async () => {
  tree = plantTree({ a: "--pre=./x.sh\n-f /etc/passwd\n--hostname-bin=./x.sh\n", "x.sh": "#!/bin/sh\ntouch fired\n" });
  chmodSync(join(tree.root, "x.sh"), 0o755);
  const patterns = ["--pre=./x.sh", "-f /etc/passwd", "--hostname-bin=./x.sh", "-", "--", "--ignore-file=/etc/passwd"];
  const found = await Promise.all(patterns.map(async (pattern) => (await findAgain({ pattern, literal: true })).found));
  expect(found).toEqual([["a:1"], ["a:2"], ["a:3"], ["a:1", "a:2", "a:3"], ["a:1", "a:3"], []]);
  expect(existsSync(join(tree.root, "fired"))).toBe(false);
});

test("neither a configuration file nor a program in the project is used", async () => {
  tree = plantTree({ "a.gz": "needle", ripgreprc: "--pre=./gzip\n", gzip: "#!/bin/sh\ntouch fired\n" });
  chmodSync(join(tree.root, "gzip"), 0o755);
  const before = { path: process.env["PATH"], config: process.env["RIPGREP_CONFIG_PATH"] };
  process.env["PATH"] = `.:${before.path}`;
  process.env["RIPGREP_CONFIG_PATH"] = join(tree.root, "ripgreprc");
  try {
    expect((await findAgain()).found).toEqual(["a.gz:1"]);
  } finally {
    process.env["PATH"] = before.path;
    if (before.config === undefined) delete process.env["RIPGREP_CONFIG_PATH"];
    else process.env["RIPGREP_CONFIG_PATH"] = before.config;
  }
  expect(existsSync(join(tree.root, "fired"))).toBe(false);
});

test("a pattern that cannot be read is explained", async () => {
  const refused = (message: string, remedy: string): object => ({ code: "E_BAD_PATTERN", message, remedy });
  const literal = "Correct it, or set literal to search for it as plain text.";
  await expect(find({ a: "x" }, { pattern: "foo(" })).rejects.toMatchObject(
    refused("The pattern cannot be read: regex parse error:\n    (?:foo()\n    ^\nerror: unclosed group", literal),
  );
  await expect(findAgain({ pattern: String.raw`a\nb` })).rejects.toMatchObject(
    refused(String.raw`The pattern cannot be read: the literal "\n" is not allowed in a regex`, literal),
  );
  await expect(findAgain({ pattern: "x{9999}{999}" })).rejects.toMatchObject({ code: "E_BAD_PATTERN" });
  await expect(findAgain({ pattern: "a\nb", literal: true })).rejects.toMatchObject(
    refused(
      "The pattern holds a line break or a NUL, and a search looks at one line at a time.",
      "Search for one of its lines.",
    ),
  );
});

test("a place that cannot be read leaves the search incomplete", async () => {
  expect(await find({ a: "needle" }, { file: "gone" })).toEqual({
    found: [],
    done: { done: true, complete: false, skipped: "1 files or folders that cannot be read" },
  });
});

test("a caller that stops early, and one that aborts, leave no process and no descriptor behind", async () => {
  const marker = `needle|${"z".repeat(20)}${process.pid}`;
  tree = plantTree(Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`f${i}`, "needle\n".repeat(2_000)])));
  const before = openDescriptors();
  for await (const _ of ripgrep("").search({ pattern: marker, cwd: tree.root, atRoot: true }, never)) break;
  expect(children(marker)).toEqual([]);
  const abort = new AbortController();
  const reason = new Error("enough");
  const aborted = (async () => {
    for await (const _ of ripgrep("").search({ pattern: marker, cwd: tree.root, atRoot: true }, abort.signal))
      abort.abort(reason);
  })();
  await expect(aborted).rejects.toBe(reason);
  expect(children(marker)).toEqual([]);
  expect(openDescriptors()).toBe(before);
});

/** Processes with `marker` among their arguments. */
function children(marker: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8").includes(marker);
    } catch {
      return false;
    }
  });
}

test.runIf(process.platform !== "win32")(
  "a search that a FIFO holds up ends, and leaves no program behind",
  async () => {
    tree = plantTree({ "a.txt": "needle\n" });
    execFileSync("mkfifo", [join(tree.root, ".gitignore")]);
    const search = ripgrep("", 300).search({ pattern: "needle", cwd: tree.root, atRoot: true }, never);
    await expect(Array.fromAsync(search)).rejects.toMatchObject({ code: "E_SEARCH_TIMEOUT" });
  },
);
