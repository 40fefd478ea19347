import { utimesSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { openProject } from "../fence/on-disk.ts";
import { mechanismHere } from "../place/mechanism.ts";
import type { Index } from "./base.ts";
import { makeWorld, put } from "./undo.testing.ts";
import { update } from "./update.ts";

const never = new AbortController().signal;

test("only what may have changed is read; a file whose times are not past yet always may", async () => {
  using world = makeWorld({
    "old.txt": "1",
    "src/touched.txt": "2",
    "ahead.txt": "3",
    ".gitignore": "ignored\n",
    ignored: "4",
  });
  const ahead = new Date(Date.now() + 3_600_000);
  utimesSync(path.join(world.project, "ahead.txt"), ahead, ahead);
  await delay(100); // the other files are older than any tick of their clock
  const mechanism = mechanismHere();
  const root = mechanism(world.project);
  const project = openProject(mechanism, root);
  const index: Index = new Map();
  const rounds: string[][] = [];
  for (let round = 1; round <= 3; round++) {
    const read: string[] = [];
    const keep = (file: { path: string }): string => {
      read.push(file.path);
      return "0".repeat(64);
    };
    await update({ root, project, index, round, keep }, never);
    rounds.push(read.sort());
    if (round === 1) put(world.project, "src/touched.txt", "5");
    await delay(100);
  }
  expect(rounds).toEqual([
    [".gitignore", "ahead.txt", "old.txt", "src/touched.txt"],
    ["ahead.txt", "src/touched.txt"],
    ["ahead.txt"],
  ]);
  project.release();
  root.release();
});
