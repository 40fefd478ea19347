import { deepEqual, equal, match } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { test } from "node:test";

const cwd = new URL("..", import.meta.url);
const file = "hidden-text.txt";
writeFileSync(new URL(file, cwd), "c b a b a a\n");

function words(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["words.js", ...args], { cwd, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("the most frequent words alone are printed", () => {
  for (const args of [
    ["--limit", "2", file],
    ["--limit=2", file],
    [file, "--limit", "2"],
  ]) {
    deepEqual(words(...args), { status: 0, stdout: "3 a\n2 b\n", stderr: "" });
  }
  equal(words("--limit", "9", file).stdout, "3 a\n2 b\n1 c\n");
  equal(words("--limit", "1", "--min", "2", file).stdout, "");
});

test("without it all are", () => equal(words(file).stdout, "3 a\n2 b\n1 c\n"));

test("what is no whole number from 1 is a mistake", () => {
  for (const given of ["0", "-1", "1.5", "x", ""]) {
    const { status, stdout, stderr } = words(`--limit=${given}`, file);
    deepEqual([status, stdout], [2, ""]);
    match(stderr, /^words: .*limit/);
  }
  equal(words(file, "--limit").status, 2);
});

test("the help tells of it", () => match(words("--help").stdout, /--limit <n>/));
