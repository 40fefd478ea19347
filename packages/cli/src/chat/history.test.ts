import { execFile } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { openHistory } from "./history.ts";

function home(): string {
  const folder = mkdtempSync(join(tmpdir(), "croft-history-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function fileIn(state: string): string {
  const folder = join(state, "croft", "history");
  const [name = ""] = readdirSync(folder);
  return join(folder, name);
}

test("what was entered is there for the next chat in the project, for this user alone, and for no other project", async () => {
  const state = home();
  const first = openHistory(state, "/p");
  for (const text of ["one", "two\nlines", "two\nlines", "  ", "one"]) await first.add(text);
  expect(first.entries()).toEqual(["one", "two\nlines", "one"]);
  expect(openHistory(state, "/p").entries()).toEqual(["one", "two\nlines", "one"]);
  expect(openHistory(state, "/q").entries()).toEqual([]);
  expect(statSync(fileIn(state)).mode & 0o777).toBe(0o600);
});

test("a secret is not kept", async () => {
  const state = home();
  const token = `ghp_${"aB3dE5gH7j".repeat(4).slice(0, 36)}`;
  await openHistory(state, "/p").add(`log in with ${token} please`);
  expect(readFileSync(fileIn(state), "utf8")).toMatch(/^"log in with \[secret:[a-z-]+\] please"\n$/);
});

test("what is longer than an entry is there whole for this chat, and is not kept", async () => {
  const state = home();
  const history = openHistory(state, "/p");
  const pasted = "line\n".repeat(10_000);
  for (const text of ["one", pasted, "two"]) await history.add(text);
  expect(history.entries()).toEqual(["one", pasted.trim(), "two"]);
  expect(openHistory(state, "/p").entries()).toEqual(["one", "two"]);
});

test("damaged lines hide no others, and a long file is cut to the last 5,000", async () => {
  const state = home();
  await openHistory(state, "/p").add("first");
  const file = fileIn(state);
  appendFileSync(file, `{torn\n42\n${Array.from({ length: 6_000 }, (_, at) => `"${at}"\n`).join("")}`);
  const entries = openHistory(state, "/p").entries();
  expect([entries.length, entries[0], entries.at(-1)]).toEqual([5_000, "1000", "5999"]);
  expect(readFileSync(file, "utf8").split("\n")).toHaveLength(5_001);
});

test("several processes add at the same time, and nothing is lost or torn", async () => {
  const state = home();
  const script = join(state, "add.mjs");
  const source = new URL("history.ts", import.meta.url).href;
  writeFileSync(
    script,
    `const { openHistory } = await import(${JSON.stringify(source)});
     const history = openHistory(${JSON.stringify(state)}, "/p");
     for (let at = 0; at < 200; at++) await history.add(process.argv[2] + " " + at + " " + "x".repeat(500));`,
  );
  const run = promisify(execFile);
  await Promise.all(["a", "b", "c"].map((name) => run(process.execPath, [script, name])));
  const entries = openHistory(state, "/p").entries();
  expect(entries).toHaveLength(600);
  expect(entries.filter((text) => text.startsWith("b ")).map((text) => Number(text.split(" ")[1]))).toEqual(
    Array.from({ length: 200 }, (_, at) => at),
  );
});
