import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { needs } from "../../../../test/support/needs.ts";
import type { Ask } from "../gate/questions.ts";
import { readTrace } from "../session/trace.ts";
import { call, say, type ServerReply } from "../testing/messages-server/script.ts";
import { replay } from "./replay.ts";
import {
  breakIt,
  checks,
  edit,
  fixIt,
  notices,
  reads,
  verifiedProject,
  type Rig,
  shell,
  sums,
  type Given,
} from "./verifying.testing.ts";

const never = new AbortController().signal;
const rig = (script: readonly ServerReply[], given?: Given): Promise<Rig> =>
  verifiedProject(process.env["PATH"], script, given);
const enclosed = describe.runIf(process.platform === "linux" && needs("bwrap"));

const failure = {
  pass: false,
  final: undefined,
  report: expect.stringMatching(
    /^`npm test` fails with the project as you have changed it \(exit code 1\)[^]*fix it in the code\. Do not weaken[^]*2 \+ 2 is not 4/,
  ),
};

enclosed("a turn that changes files", () => {
  test("breaks the test, is told so in a word of the harness, fixes the cause, and passes", async () => {
    const { run, events, server, folder, trace } = await rig([reads, breakIt, say("Done."), fixIt, say("Done.")]);
    expect(await run()).toBe("done");
    expect(checks(events)).toEqual([failure, { pass: true, note: "`npm test` passed" }]);
    expect(notices(events)).toEqual(Array(2).fill("Verifying with `npm test` (scripts.test in package.json)."));
    const told = server.requests[3]?.body.messages.at(-1);
    expect(JSON.stringify(told)).toMatch(/\[harness\] `npm test` fails/);
    expect(events.some((event) => event.type === "output" && event.text.includes("2 + 2 is not 4"))).toBe(true);
    expect(readdirSync(folder).filter((name) => !name.startsWith("live-"))).toEqual([]);
    const again = await replay(await readTrace(trace), { emit: () => undefined }, never);
    expect([again.same, again.differences]).toEqual([true, []]);
  });

  test("ends for the user at the second identical failure, times aside", async () => {
    const clock = "console.log(`late by ${Date.now()} ms`);\nprocess.exit(1);\n";
    const { run, events } = await rig([reads, breakIt, say("Done."), fixIt, say("Done.")], {
      files: { "add.test.js": clock },
    });
    expect(await run()).toBe("check_failed");
    expect(checks(events)).toMatchObject([
      { pass: false, final: undefined },
      { pass: false, final: "check_failed" },
    ]);
  });

  test("has three rounds, and no more", async () => {
    const wrong = ["- b", "* b * 3", "/ b", "- 9"].map((now, index, all) =>
      edit("add.js", index === 0 ? "+ b" : (all[index - 1] ?? ""), now),
    );
    const speaking = sums.replace('"2 + 2 is not 4"', '"sum " + "abcdefghijklmnop"[Math.abs(add(2, 2))]');
    const script = [reads, ...wrong.flatMap((one) => [one, say("Done.")])];
    const { run, events } = await rig(script, { files: { "add.test.js": speaking } });
    expect(await run()).toBe("check_failed");
    expect(checks(events)).toHaveLength(4);
  });

  test("is verified with what the user named, which need not be in any list", async () => {
    const { run, events } = await rig([reads, breakIt, say("Done.")], {
      command: "grep -q 'a - b' add.js && echo fine",
    });
    expect(await run()).toBe("done");
    expect(checks(events)).toEqual([{ pass: true, note: "`grep -q 'a - b' add.js && echo fine` passed" }]);
  });

  test("by a command is verified as well, whether undo is kept or not", async () => {
    for (const undo of [undefined, false] as const) {
      const more = undo === undefined ? {} : { undo };
      const { run, events } = await rig(
        [shell("sed -i 's/a + b/a - b/' add.js"), say("."), shell("sed -i 's/a - b/b + a/' add.js"), say(".")],
        more,
      );
      expect(await run()).toBe("done");
      expect(checks(events)).toEqual([failure, { pass: true, note: "`npm test` passed" }]);
    }
  });

  test("and writes new tests is fine", async () => {
    const write = [call("write_file", { path: "more.test.js", content: "process.exit(0);\n" })];
    const { run, events } = await rig([reads, breakIt, say("Done."), write, fixIt, say("Done.")]);
    expect(await run()).toBe("done");
    expect(checks(events)).toEqual([
      failure,
      { pass: true, note: "`npm test` passed, also without new tests (more.test.js)" },
    ]);
  });

  test("and corrects, and takes back, tests that it has written itself, by a tool and by a command", async () => {
    const path = "more.test.js";
    const runsAll = { "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n' };
    const script: ServerReply[] = [
      [call("write_file", { path, content: "throw 1;\n" })],
      say("."),
      edit(path, "1", "2"),
      shell(`echo 'throw "no number"' > ${path}`),
      say("."),
      shell(`mv ${path} notes.txt`),
      say("."),
    ];
    const { run, events } = await rig(script, { files: runsAll });
    expect(await run()).toBe("done");
    expect(checks(events)).toEqual([
      expect.objectContaining({ pass: false, final: undefined }),
      expect.objectContaining({ pass: false, final: undefined }),
      { pass: true, note: "`npm test` passed" },
    ]);
  });
});

enclosed("a croft that is killed in the check", () => {
  test("leaves a trace that is replayed as far as it goes", async () => {
    const { run, trace } = await rig([reads, edit("add.js", "a + b", "b + a"), say("Done.")]);
    await run();
    const lines = readFileSync(trace, "utf8").split("\n");
    const begun = lines.findIndex((line) => line.includes("Verifying with"));
    writeFileSync(trace, `${lines.slice(0, begun + 1).join("\n")}\n`);
    const again = await replay(await readTrace(trace), { emit: () => undefined }, never);
    expect(again).toMatchObject({ same: true, unfinished: 1, differences: [] });
  });
});

test("a turn that claims success and changed nothing is told as unverified", async () => {
  const { run, events } = await rig([say("I have made add return a - b; all tests pass.")]);
  expect(await run()).toBe("done");
  expect(checks(events)).toEqual([
    { pass: true, unverified: true, note: "nothing changed, so there was nothing to verify" },
  ]);
});

test("without a sandbox and with nobody to ask nothing is run: unverified, changed tests named", async () => {
  const { run, events } = await rig([reads, edit("add.test.js", "!== 4", "!== 0"), say("Done.")], { sandbox: false });
  expect(await run()).toBe("done");
  expect(checks(events)).toEqual([
    {
      pass: true,
      unverified: true,
      note: expect.stringMatching(/^`npm test` could not be run: .*approval.* Meanwhile add\.test\.js was changed\.$/),
    },
  ]);
});

test("a project that does not say how it is checked is unverified", async () => {
  const { run, events } = await rig([reads, breakIt, say("Done.")], { files: { "package.json": "{}" } });
  expect(await run()).toBe("done");
  expect(checks(events)).toMatchObject([{ pass: true, unverified: true, note: expect.stringContaining("--verify") }]);
});

function emptying(path: string, text: string): string {
  const lines = text.trimEnd().split("\n");
  const removed = lines.map((line) => `-${line}\n`).join("");
  return `--- a/${path}\n+++ b/${path}\n@@ -1,${lines.length} +1,1 @@\n${removed}+// later\n`;
}

type Cheat = { reply: ServerReply; held: "refused" | "noticed"; files?: Given["files"] };

function byTool(reply: ServerReply, files?: Given["files"]): Cheat {
  return { reply, held: "refused", ...(files && { files }) };
}

function byCommand(command: string): Cheat {
  return { reply: shell(command), held: "noticed" };
}

/** Ways to make a wrong `add` pass, each tried once the check has failed. */
const cheats: Readonly<Record<string, Cheat>> = {
  "weakens it with edit_file": byTool(edit("add.test.js", "!== 4", "!== 0")),
  "empties it with apply_patch": byTool([call("apply_patch", { patch: emptying("add.test.js", sums) })]),
  "weakens it with a command": byCommand("sed -i 's/!== 4/!== 0/' add.test.js"),
  "puts a link in its place": byCommand("echo > ok.js; ln -sf ok.js add.test.js"),
  "changes the script": byTool(edit("package.json", "runner add.test.js", "true")),
  "changes the script with a command": byCommand("sed -i 's/runner add.test.js/true/' package.json"),
  "empties a script that the check names": byTool(
    [
      call("read_file", { path: "gate/all.sh" }),
      call("edit_file", { path: "gate/all.sh", old_string: "runner", new_string: "true || runner" }),
    ],
    {
      "package.json": '{ "type": "module", "scripts": { "test": "sh ./gate/all.sh" } }\n',
      "gate/all.sh": "set -e\nrunner add.test.js\n",
    },
  ),
  "puts a shim before the runner": byCommand("printf '#!/bin/sh\\nexit 0\\n' > node_modules/.bin/runner"),
};

enclosed("a model that would rather change the test", () => {
  test.each(Object.entries(cheats))(
    "and %s is caught by what holds tests while they fail",
    async (_, { reply, held, files: more = {} }) => {
      const script = [reads, breakIt, say("."), reply, say("Done.")];
      const { run, events } = await rig(script, { without: "originals", files: more });
      expect(await run()).toBe("check_failed");
      const results = events.flatMap((event) => (event.type === "tool_result" ? [event.ok] : []));
      expect(results.at(-1)).toBe(held === "noticed");
      // Refused, the same failure comes once more; done by a command, it is seen before anything is run.
      const report =
        held === "noticed" ? / was changed while `npm test` failed: / : /^`npm test` fails with the project/;
      expect(checks(events).at(-1)).toEqual({
        pass: false,
        final: "check_failed",
        report: expect.stringMatching(report),
      });
    },
  );

  test.each(Object.entries(cheats))(
    "and %s is caught by the user's own versions",
    async (_, { reply, files: more = {} }) => {
      const { run, events } = await rig([reads, breakIt, say("."), reply, say("Done.")], {
        without: "holding",
        files: more,
      });
      expect(await run()).toBe("check_failed");
      expect(checks(events).at(-1)).toEqual({
        pass: false,
        final: "check_failed",
        report: expect.stringMatching(
          /^`npm test` passes only because .* was changed; with your own versions it fails/,
        ),
      });
    },
  );

  test("in the very turn that breaks the code, before anything failed, is caught as well; its tests stay as they are", async () => {
    const weaker = edit("add.test.js", "!== 4", "!== 0");
    const { run, events, root, folder } = await rig([reads, breakIt, weaker, say("Done.")]);
    expect(await run()).toBe("check_failed");
    expect(checks(events)).toMatchObject([
      { final: "check_failed", report: expect.stringContaining("add.test.js was changed") },
    ]);
    expect(readFileSync(join(root, "add.test.js"), "utf8")).toContain("!== 0");
    expect(readdirSync(folder).filter((name) => !name.startsWith("live-"))).toEqual([]);
  });

  test("with a new definition that switches tests off is caught", async () => {
    const conftest = [call("write_file", { path: "Makefile", content: "test:\n\ttrue\n" })];
    const { run, events } = await rig([reads, breakIt, conftest, say("Done.")], {
      command: "if [ -f Makefile ]; then make test; else npm test; fi",
    });
    expect(await run()).toBe("check_failed");
    expect(checks(events)).toMatchObject([{ report: expect.stringContaining("Makefile is new") }]);
  });

  test("with a file that make takes for its goal is caught", async () => {
    const makefile = "test:\n\trunner add.test.js\n";
    const { run, events } = await rig([reads, breakIt, shell("touch test"), say("Done.")], {
      files: { Makefile: makefile, "package.json": '{ "type": "module" }' },
    });
    expect(await run()).toBe("check_failed");
    expect(checks(events)).toMatchObject([
      { report: expect.stringContaining("`make test` passes only because test is new") },
    ]);
  });

  test("by way of an installed package is not told as verified", async () => {
    const files = { "node_modules/runner/main.js": 'import("../../add.test.js");\n' };
    const script = JSON.stringify({ type: "module", scripts: { test: "node node_modules/runner/main.js" } });
    const empty = shell(
      "mkdir -p node_modules/.cache && touch node_modules/.cache/1 && echo > node_modules/runner/main.js",
    );
    const { run, events } = await rig([reads, breakIt, empty, say("Done.")], {
      files: { ...files, "package.json": script },
    });
    expect(await run()).toBe("done");
    expect(checks(events)).toEqual([
      {
        pass: true,
        unverified: true,
        note: expect.stringMatching(
          /^`npm test` passed, .* but with installed packages that were changed meanwhile: node_modules\/runner\/main\.js$/,
        ),
      },
    ]);
  });

  test("by a process that goes on beside the check is not told as verified", async () => {
    const start = [call("start_process", { argv: ["sleep", "60"] })];
    const { run, events } = await rig([reads, edit("add.js", "a + b", "b + a"), start, say("Done.")]);
    expect(await run()).toBe("done");
    expect(checks(events)).toEqual([
      { pass: true, unverified: true, note: "`npm test` passed, but `sleep 60` still ran and could change files" },
    ]);
  });

  test("by what Python has compiled of it is not heeded", async () => {
    const compiled = `python3 - <<'END'
import importlib.util, marshal, os, struct
path = importlib.util.cache_from_source("check_add.py")
os.makedirs(os.path.dirname(path), exist_ok=True)
stat = os.stat("check_add.py")
with open(path, "wb") as file:
    file.write(importlib.util.MAGIC_NUMBER + struct.pack("<III", 0, int(stat.st_mtime), stat.st_size))
    marshal.dump(compile("", path, "exec"), file)
END`;
    const { run, events } = await rig([reads, shell(compiled), edit("add.js", "a + b", "a - b"), say("."), say(".")], {
      files: { "check_add.py": 'assert "a + b" in open("add.js").read(), "not 4"\n' },
      command: "python3 -m check_add",
    });
    expect(await run()).toBe("check_failed");
    expect(checks(events)[0]).toMatchObject({ pass: false, report: expect.stringContaining("AssertionError: not 4") });
  });

  test("as the task says, may; the report names it", async () => {
    const { run, events } = await rig([reads, breakIt, edit("add.test.js", "!== 4", "!== 0"), say("Done.")]);
    expect(await run("Make add return a - b and update the tests.")).toBe("done");
    expect(checks(events)).toEqual([{ pass: true, note: "`npm test` passed; as you asked, add.test.js was changed" }]);
  });

  test("as the user says in the middle of the turn, may", async () => {
    const queue = [{ text: "And update the tests." }];
    const script = [reads, breakIt, edit("add.test.js", "!== 4", "!== 0"), say("Done.")];
    const { run, events } = await rig(script, { steering: () => queue.splice(0) });
    expect(await run()).toBe("done");
    expect(checks(events)).toEqual([{ pass: true, note: "`npm test` passed; as you asked, add.test.js was changed" }]);
  });

  test("as a person approves, may; what a command does to it afterwards was not approved", async () => {
    const asked: string[] = [];
    const ask: Ask = async (action) => {
      if (action.kind === "write")
        asked.push(...action.changes.map(({ asked, verdict }) => `${asked}: ${verdict?.rule}`));
      return { allowed: true };
    };
    const weaker = edit("add.test.js", "!== 4", "!== 0");
    const fine = await rig([reads, breakIt, say("."), weaker, say("Done.")], { ask });
    expect(await fine.run()).toBe("done");
    expect(asked).toEqual(["add.test.js: a test, while the project's check fails"]);
    expect(checks(fine.events).at(-1)).toEqual({
      pass: true,
      note: "`npm test` passed; tests changed with your approval: add.test.js",
    });
    const more = await rig([reads, breakIt, say("."), weaker, shell("echo > add.test.js"), say("Done.")], { ask });
    expect(await more.run()).toBe("check_failed");
  });

  test("and did no harm: the user's own versions pass too, which is told", async () => {
    const { run, events } = await rig([
      reads,
      edit("add.js", "a + b", "b + a"),
      shell("echo > add.test.js"),
      say("Done."),
    ]);
    expect(await run()).toBe("done");
    expect(checks(events)).toEqual([
      { pass: true, note: "`npm test` passed, also with your own versions (add.test.js was changed)" },
    ]);
  });
});
