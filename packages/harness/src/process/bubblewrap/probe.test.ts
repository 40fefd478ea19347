import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { needs } from "../../../../../test/support/needs.ts";
import { encloseProject, never } from "../../workspace/guard/enclosed.testing.ts";
import type { EnclosureState } from "../enclosure.ts";

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "croft-test-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** A program in the place of bwrap. */
async function stateWith(script: string | undefined): Promise<EnclosureState> {
  const bwrap = script === undefined ? undefined : join(folder, "bwrap");
  if (bwrap !== undefined) {
    writeFileSync(bwrap, `#!/bin/sh\n${script}\n`);
    chmodSync(bwrap, 0o755);
  }
  await using box = await encloseProject({ bwrap });
  return await box.enclosure.probe(never);
}

const onLinux = test.runIf(process.platform === "linux");
const version = 'if [ "$1" = --version ]; then echo bubblewrap 0.9.0; exit; fi';

test.runIf(process.platform === "linux" && needs("bwrap"))("the real one holds", async () => {
  await using box = await encloseProject();
  expect(await box.enclosure.probe(never)).toMatchObject({ state: "ready" });
});

onLinux("missing, too old and blocked are told apart, each with its remedy", async () => {
  const scripts = [
    undefined,
    "echo bubblewrap 0.7.9",
    `${version}; echo "bwrap: setting up uid map: Permission denied" >&2; exit 1`,
    "exit 3",
  ];
  const states: EnclosureState[] = [];
  for (const script of scripts) states.push(await stateWith(script));
  expect(
    states.map((state) => (state.state === "ready" ? state : [state.state, state.reason, state.remedy.slice(0, 9)])),
  ).toEqual([
    ["missing", "bubblewrap is not installed.", "Install i"],
    ["too old", "bubblewrap 0.7.9 is too old.", "Update it"],
    ["blocked", "bubblewrap is blocked: bwrap: setting up uid map: Permission denied.", "Allow unp"],
    ["blocked", expect.stringMatching(/does not say its version/), "Allow unp"],
  ]);
});

onLinux("one that lets something through is not trusted", async () => {
  expect(await stateWith(`${version}; echo mounting; echo "a connection"; echo done`)).toMatchObject({
    state: "blocked",
    reason: "bubblewrap is blocked: it does not hold against mounting, a connection.",
  });
  expect(await stateWith(`${version}; exit 0`)).toMatchObject({ state: "blocked" });
});
