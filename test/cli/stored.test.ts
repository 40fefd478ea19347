/** What sessions are kept in: shared by several crofts, full, or not there. */

import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { call, say, type ServerScript } from "@croft/harness/testing";
import { expect, test } from "vitest";
import { bin, croft, eventsOf, makeWorld, type World } from "./croft.ts";
import { key, serve } from "./server.ts";

const traces = ({ home }: World): string => join(home, ".local/state/croft/traces");
const files = Object.fromEntries(
  Array.from({ length: 12 }, (_, n) => [`${n}.ts`, `export const a = ${n};\n`.repeat(200)]),
);
const to = (url: string): Record<string, string> => ({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url });

/** Reads one file after the other. */
const reading: ServerScript = ({ messages }) =>
  messages.length < 12 ? call("read_file", { path: `${messages.length}.ts` }) : say("Read.");

test("crofts that work in one project at once keep a whole session each", async () => {
  const world = makeWorld(files);
  const server = await serve(reading);
  const tasks = Array.from({ length: 4 }, (_, n) => `Task ${n}`);
  const env = to(server.url);
  const ended = await Promise.all(tasks.map((task) => croft(world, ["run", "--yes", task], { env })));
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const sessions = eventsOf((await croft(world, ["sessions", "--json"])).out);
  const told = sessions.map(({ task, status, turns }) => `${String(task)}: ${String(status)}, ${String(turns)}`);
  expect(new Set(told)).toEqual(new Set(tasks.map((task) => `${task}: done, 1`)));
  for (const { file } of sessions) {
    const lines = readFileSync(String(file), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line)).filter(({ type }) => type === "message")).toHaveLength(14);
  }
  expect(readdirSync(traces(world)).filter((name) => !name.endsWith(".jsonl"))).toEqual([]);
});

test("where no more can be written, that is told once, the run comes to its end, and what was kept goes on", async () => {
  const world = makeWorld(files);
  const server = await serve(reading);
  // Kilobytes of any one file: the log of such a run is longer.
  const limited = ["-c", 'ulimit -f 40; exec "$@"', "sh", process.execPath, bin, "ask", "Read a.ts."];
  const env = { ...to(server.url), PATH: process.env["PATH"], HOME: world.home };
  const { stdout, stderr } = await promisify(execFile)("bash", limited, { cwd: world.project, env });
  expect(stdout).toBe("Read.\n");
  expect(stderr.match(/^croft: The session log .* cannot be written: .*$/gm)).toEqual([
    expect.stringMatching(/EFBIG: .*\. The session goes on, but the rest of it is not kept\.$/),
  ]);
  const [session] = eventsOf((await croft(world, ["sessions", "--json"])).out);
  expect(session).toMatchObject({ status: "interrupted", task: "Read a.ts." });
  const { code, err } = await croft(world, ["resume"], { env: to(server.url) });
  expect([code, server.rejections]).toEqual([0, []]);
  expect(err).toMatch(/^Line \d+ of the log cannot be read: left out\.$/m);
});

test.runIf(process.getuid?.() === 0)(
  "where no home is known, a run keeps what it needs in a folder that goes with it",
  async () => {
    const world = makeWorld(files);
    const temporary = join(world.base, "tmp");
    mkdirSync(temporary);
    for (const folder of [world.base, world.project, temporary]) chmodSync(folder, 0o777);
    const { url } = await serve([call("write_file", { path: "new.ts", content: "" }), say("Done.")]);
    const env = { ...to(url), HOME: undefined, TMPDIR: temporary };
    const { code, err } = await croft(world, ["run", "--yes", "--no-verify", "Write."], { env, uid: 54_321 });
    expect([code, readdirSync(temporary)]).toEqual([0, []]);
    expect(err).toContain("What is changed cannot be undone: no home folder is known.");
  },
);
