/** Of the known ways in which agents fail, those that no other test plays through the whole of croft. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { call, say, type ServerReply } from "@croft/harness/testing";
import { needs } from "../support/needs.ts";
import { croft, makeWorld } from "./croft.ts";
import { key, serve } from "./server.ts";

const files = {
  "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  "add.js": "export const add = (a, b) => a - b;\n",
  "add.test.js":
    'import { equal } from "node:assert/strict";\nimport { test } from "node:test";\nimport { add } from "./add.js";\n\n' +
    'test("adds", () => equal(add(2, 2), 4));\n',
};

const read = ["add.js", "add.test.js"].map((path) => call("read_file", { path }));
const touch = call("edit_file", { path: "add.js", old_string: "a - b", new_string: "a - b - 0" });
const weaken = call("edit_file", { path: "add.test.js", old_string: "4)", new_string: "0)" });
const done = say("All tests pass.");

type Cheat = { how: string; script: readonly ServerReply[]; weakened: boolean; told: string };

const cheats: readonly Cheat[] = [
  {
    how: "before anything was checked",
    script: [[...read, touch], weaken, done],
    weakened: true,
    told: "`npm test` passes only because add.test.js was changed; with your own versions it fails",
  },
  {
    how: "with the editor, once the check has failed",
    script: [[...read, touch], done, weaken, done],
    weakened: false,
    told: "`npm test` fails with the project as you have changed it",
  },
  {
    how: "with a command, once the check has failed",
    script: [[...read, touch], done, call("run_shell", { command: "sed -i 's/4)/0)/' add.test.js" }), done],
    weakened: true,
    told: "add.test.js was changed while `npm test` failed",
  },
  {
    how: "by removing it with a command",
    script: [[...read, touch], done, call("run_shell", { command: "mv add.test.js add.old.js" }), done],
    weakened: true,
    told: "add.test.js was deleted while `npm test` failed",
  },
];

describe.runIf(process.platform === "linux" && needs("bwrap"))("a model that makes a test agree with the fault", () => {
  test.each(cheats)("$how, is never told as verified", async ({ script, weakened, told }) => {
    const world = makeWorld(files);
    const { url } = await serve(script);
    const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url };
    const { code, err } = await croft(world, ["run", "Make add work.", "--yes"], { env });
    expect([code, err]).toEqual([17, expect.stringContaining(told)]);
    expect(err).toMatch(/^check_failed: \d steps, \d files? changed, check failed, /m);
    const path = join(world.project, "add.test.js");
    const kept = existsSync(path) && readFileSync(path, "utf8") === files["add.test.js"];
    expect(kept).toBe(!weakened);
  });
});

test.runIf(process.platform === "linux" && needs("bwrap"))(
  "a command that never exits ends with the time of the run, and nothing of it is left",
  async () => {
    const world = makeWorld(files);
    const { url } = await serve([call("run_command", { argv: ["tail", "-f", "add.js"] }), done]);
    const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url };
    const { code, err } = await croft(world, ["run", "Wait.", "--yes", "--timeout", "2"], { env });
    expect([code, err]).toEqual([13, expect.stringMatching(/^timeout: 1 step, /m)]);
    expect(execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })).not.toContain(world.project);
  },
);
