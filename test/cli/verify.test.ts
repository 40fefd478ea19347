/** Verification through the whole of croft: the built program, a strict server, the real sandbox. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { call, say, type ServerReply } from "@croft/harness/testing";
import { needs } from "../support/needs.ts";
import { croft, makeWorld, type Ended, type World } from "./croft.ts";
import { key, serve } from "./server.ts";

const enclosed = describe.runIf(process.platform === "linux" && needs("bwrap"));

const files = {
  "package.json": '{ "type": "module", "scripts": { "test": "node check.js" } }\n',
  "add.js": "export const add = (a, b) => a + b;\n",
  "check.js": 'import { add } from "./add.js";\nif (add(2, 2) !== 4) throw new Error("not 4");\n',
};
const edit = (path: string, from: string, to: string): ServerReply => [
  call("read_file", { path }),
  call("edit_file", { path, old_string: from, new_string: to }),
];
const wrong = edit("add.js", "a + b", "a - b");

async function ran(world: World, script: readonly ServerReply[], ...args: string[]): Promise<Ended> {
  const { url } = await serve(script);
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url };
  return croft(world, ["run", "Make add return a - b.", "--yes", ...args], { env });
}

enclosed("croft run", () => {
  test("shows how the work is verified, as it happens, and says so in the last line", async () => {
    const { code, err } = await ran(makeWorld(files), [
      wrong,
      say("."),
      edit("add.js", "a - b", "b + a"),
      say("Done."),
    ]);
    const lines = err.split("\n").filter((line) => /erif|check|not 4/.test(line) && !/^ +(?:at|if)|->/.test(line));
    expect([code, lines]).toEqual([
      0,
      [
        "Verifying with `npm test` (scripts.test in package.json).",
        "   > node check.js",
        expect.stringContaining("check.js:2"),
        expect.stringContaining("Error: not 4"),
        expect.stringMatching(/^ +check verify failed: `npm test` fails with the project as you have changed it/),
        "Verifying with `npm test` (scripts.test in package.json).",
        "   > node check.js",
        "   verified: `npm test` passed",
        expect.stringMatching(/^done: 4 steps, 1 file changed, verified, /),
      ],
    ]);
  });

  test("is verified with what --verify or the configuration says, or not at all", async () => {
    const world = makeWorld(files);
    const named = await ran(world, [wrong, say("Done.")], "--verify", "grep 'a - b' add.js");
    expect([named.code, named.err]).toEqual([0, expect.stringContaining("verified: `grep 'a - b' add.js` passed")]);
    const config = join(world.home, ".config/croft/config.jsonc");
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(config, '{ "verify": "false" }');
    const configured = await ran(world, [edit("add.js", "a - b", "b - a"), say("Done."), say("Cannot.")]);
    expect([configured.code, configured.err]).toEqual([17, expect.stringContaining("Verifying with `false`")]);
    const none = await ran(world, [edit("add.js", "b - a", "a - b"), say("Done.")], "--no-verify");
    expect([none.code, none.err]).toEqual([0, expect.not.stringMatching(/erif/)]);
  });
});

test("a claim without a change is unverified", async () => {
  const { code, err } = await ran(makeWorld(files), [say("All tests pass.")]);
  expect([code, err]).toEqual([0, expect.stringMatching(/nothing changed[^]*done: 1 step, unverified, /)]);
});
