/**
 * Random schedules of faults, budgets, ceilings and cancels, over strict servers of both APIs: nothing crashes, no
 * request is one that a service refuses, none could pass its ceiling, every turn ends as one can, and the session goes
 * on afterwards.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Status } from "../event.ts";
import { play } from "./faults/play.testing.ts";
import { schedules, type Schedule } from "./faults/schedule.testing.ts";

/** To play a failure once more, put the seed and the path that it prints here. */
const again: fc.Parameters<[Schedule]> = {};

const numRuns = process.env["CROFT_LONG"] === "1" ? 3_000 : 500;

const ends = {
  done: true,
  error: true,
  max_turns: true,
  token_budget: true,
  dollar_budget: true,
  timeout: true,
  max_tokens: true,
  refused: true,
  stuck: true,
  check_failed: true,
  cancelled: true,
} satisfies Record<Status, true>;

test(`${numRuns} random schedules of faults pass no ceiling, break no rule of a service and end no session`, async () => {
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      const folder = mkdtempSync(join(tmpdir(), "croft-faults-"));
      try {
        const place = { root: join(folder, "project"), file: join(folder, "session.jsonl") };
        mkdirSync(place.root);
        writeFileSync(join(place.root, "a.ts"), "export const a = 1;\n");
        const { statuses, ...outcome } = await play(schedule, place);
        expect(statuses.filter((status) => !(status in ends))).toEqual([]);
        expect(outcome).toEqual({ resumed: "done", rejections: [], passed: [], repairs: [], unended: 0 });
      } finally {
        rmSync(folder, { recursive: true });
      }
    }),
    { numRuns, ...again },
  );
}, 600_000);
