/** Each task of the eval is real: what is given does not pass, and its solution does. */

import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { croft } from "../../evals/rig/croft.ts";
import { judge } from "../../evals/rig/judge.ts";
import { makePlace } from "../../evals/rig/place.ts";
import { tasks } from "../../evals/rig/task.ts";
import { needs } from "../support/needs.ts";

const never = new AbortController().signal;

describe.runIf(process.platform === "linux" && needs("bwrap"))("where a sandbox is", () => {
  test.each(tasks())("$name fails its hidden tests as it is given, and passes them with its solution", async (task) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "croft-eval-test-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const place = makePlace(task, join(folder, "attempt"));
    const given = await judge(task, place, never);
    const input = JSON.stringify({ patch: readFileSync(task.solution, "utf8") });
    const patched = await croft(["tool", "apply_patch", input, "--yes"], place, {
      ms: 30_000,
      onLine: () => undefined,
      signal: never,
    });
    const solved = await judge(task, place, never);
    expect([given.passed, given.failed.length > 0, patched.code]).toEqual([false, true, 0]);
    expect(solved).toEqual({ passed: true, failed: [] });
  });
});
