import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createLive } from "./live.ts";

test("what comes in between is handed out in one piece, and nothing is lost at the end", async () => {
  const pieces: string[] = [];
  const live = createLive((piece) => pieces.push(piece));
  live.add("a");
  live.add("b");
  await sleep(20);
  for (const piece of ["c", "d", "e"]) live.add(piece);
  live.end();
  live.end();
  expect(pieces).toEqual(["ab", "cde"]);
});

test("of a flood the end is handed out, and what was passed over is counted", () => {
  const pieces: string[] = [];
  const live = createLive((piece) => pieces.push(piece));
  live.add("x".repeat(3_000));
  live.add(`${"👍".repeat(2_000)}!`);
  live.end();
  expect(pieces).toEqual([`… (3002 characters left out)\n${"👍".repeat(1_999)}!`]);
});

test("after a pause output is handed out again", async () => {
  const pieces: string[] = [];
  const live = createLive((piece) => pieces.push(piece));
  live.add("a");
  await sleep(250);
  live.add("b");
  await sleep(50);
  expect(pieces).toEqual(["a", "b"]);
  live.end();
});
