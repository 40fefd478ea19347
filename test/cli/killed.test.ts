/**
 * croft is killed (SIGKILL) at every kind of moment, and the session goes on: a strict server takes the next request, what
 * was repaired is said, no file is half written, and nothing is left running.
 */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, reply, say, think, type ServerReply } from "@croft/harness/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { needs } from "../support/needs.ts";
import { croft, makeWorld, start, until, type World } from "./croft.ts";
import { key, serve } from "./server.ts";

const enclosed = process.platform === "linux" && needs("bwrap");
const files = { "a.ts": "export const a = 1;\n", "b.ts": "export const b = 1;\n" };
const long = "A long line of a long file.\n".repeat(1_000);
const read = (path: string): ReturnType<typeof call> => call("read_file", { path });
const patch = `*** Begin Patch
*** Update File: a.ts
-export const a = 1;
+export const a = 2;
*** Update File: b.ts
-export const b = 1;
+export const b = 2;
*** End Patch`;
const changing: readonly ServerReply[] = [[read("a.ts"), read("b.ts")], call("apply_patch", { patch })];
/** How long a program sleeps that nobody else has started. */
const seconds = `9${process.pid}.5`;
const sleep = ["sleep", seconds];

type Moment = {
  script: readonly ServerReply[];
  /** What verifies the first turn; nothing if it is not said. */
  verify?: string;
  /** Of both turns. */
  args?: readonly string[];
  /** Whether it has come; where it is not said, once all of the script was asked for. */
  isReached?: () => boolean;
  /** What is said of the repair, and what the model reads of the call that was open. */
  told: string;
  result?: RegExp;
};

const hanging = reply(say("Never."), { delayMs: 60_000 });
const slowly = { paceMs: 200, size: 4 };
const ran = { isReached: isAsleep, result: /^croft was ended while this ran: it may have done a part/ };

const moments: Readonly<Record<string, Moment>> = {
  "a command in the sandbox": {
    ...ran,
    script: [call("run_command", { argv: sleep })],
    told: "croft was ended in a call of run_command;",
  },
  "the start of the sandbox of a command": {
    ...ran,
    script: [call("run_command", { argv: sleep })],
    isReached: () => sleepers().length > 0,
    told: "croft was ended in a call of run_command;",
  },
  "a command without a sandbox, and its children": {
    ...ran,
    script: [call("run_command", { argv: ["sh", "-c", `sleep ${seconds} & sleep ${seconds}; echo`] })],
    args: ["--dangerously-no-sandbox"],
    told: "croft was ended in a call of run_command;",
  },
  "a reply, while a program runs": {
    script: [call("start_process", { argv: sleep, wait_seconds: 0 }), hanging],
    isReached: isAsleep,
    told: "croft was ended in the last turn;",
  },
  "a verification": {
    script: [...changing, say("Done.")],
    verify: sleep.join(" "),
    isReached: isAsleep,
    told: "croft was ended in the last turn;",
  },
  "a stream of thinking": {
    script: [read("a.ts"), reply([think("I think about it at great length.")], slowly)],
    told: "croft was ended in the last turn;",
  },
  "a stream of text": {
    script: [read("a.ts"), reply(say("I talk about it at great length, before I do a thing."), slowly)],
    told: "croft was ended in the last turn;",
  },
  "the input of a call": {
    script: [read("a.ts"), reply(call("search", { pattern: "one that takes a while to be said" }), slowly)],
    told: "croft was ended in the last turn;",
  },
  "a request for notes, the context being full": {
    script: [read("long.txt"), reply(read("b.ts"), { usage: { input: 899_000 } }), hanging],
    args: ["--max-dollars", "50"],
    told: "croft was ended in the last turn;",
  },
};

/** Command lines of processes in which this sleep is named: that of croft, of the sandbox, of the program itself. */
function sleepers(): string[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const line = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/cmdline`, "latin1") : "";
      return line.includes(seconds) ? [line] : [];
    } catch {
      return []; // it has ended meanwhile
    }
  });
}

function isAsleep(): boolean {
  return sleepers().some((line) => line.startsWith("sleep"));
}

type Place = { world: World; env: Record<string, string>; requests: () => number; results: () => string[] };

/** A project, and a service that plays a script and from then on says that all is done. All that it is sent must be valid. */
async function place(script: readonly ServerReply[]): Promise<Place> {
  const world = makeWorld({ ...files, "long.txt": long });
  const server = await serve((_, n) => script[n - 1] ?? say("Done."));
  onTestFinished(() => expect(server.rejections).toEqual([]));
  const results = (): string[] => {
    const content = server.requests.at(-1)?.body.messages.flatMap((message) => message.content) ?? [];
    return content.flatMap(({ type, content: parts }) =>
      type === "tool_result" && Array.isArray(parts) ? [parts.map((part) => String(Object(part).text)).join()] : [],
    );
  };
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url };
  return { world, env, requests: () => server.requests.length, results };
}

/** Nothing is left of it but the log. */
function left({ home }: World): string[] {
  return readdirSync(join(home, ".local/state/croft/traces")).filter((name) => !name.endsWith(".jsonl"));
}

describe.runIf(enclosed).each(Object.entries(moments))("killed in %s,", (_, moment) => {
  const { script, args = [], verify, isReached, told, result } = moment;

  test("a session goes on: it says what was repaired, and nothing runs that was left behind", async () => {
    const { world, env, requests, results } = await place(script);
    const check = verify === undefined ? ["--no-verify"] : ["--verify", verify];
    const run = start(world, ["run", "--yes", ...args, ...check, "Go."], { env });
    await until(() => requests() >= script.length && (isReached?.() ?? true));
    run.child.kill("SIGKILL");
    await run.ended;
    await until(() => sleepers().length === 0);
    const list = await croft(world, ["sessions"]);
    expect(list.out).toMatch(/ {2}interrupted {4}1 turn /);
    const { code, out, err } = await croft(world, ["resume", "--yes", ...args, "--no-verify", "go on"], { env });
    expect([code, out, left(world)]).toEqual([0, "Done.\n", []]);
    expect(err).toContain(told);
    if (result !== undefined) expect(results().at(-1)).toMatch(result);
    const again = await croft(world, ["resume", "--yes", ...args, "--no-verify", "and on"], { env });
    expect([again.code, again.err]).toEqual([0, expect.not.stringContaining("croft was ended")]);
  });
});

describe.runIf(enclosed)("ended at once in a command,", () => {
  test.each([
    ["a second Ctrl+C", ["SIGINT", "SIGINT"], 130],
    ["TERM and then a hangup", ["SIGTERM", "SIGHUP"], 129],
  ] as const)("by %s, leaves nothing among temporary files", async (_, signals, code) => {
    const { world, env } = await place([call("run_command", { argv: ["python3", "stubborn.py"] })]);
    writeFileSync(join(world.project, "stubborn.py"), stubborn);
    const temporary = join(world.base, "temporary");
    mkdirSync(temporary);
    const run = start(world, ["run", "--yes", "--no-verify", "Go."], { env: { ...env, TMPDIR: temporary } });
    await until(isAsleep);
    for (const signal of signals) {
      run.child.kill(signal);
      await new Promise((resolve) => setTimeout(resolve, 50)); // two of a kind at once are one
    }
    expect((await run.ended).code).toBe(code);
    expect(readdirSync(temporary)).toEqual([]);
    await until(() => sleepers().length === 0);
  });

  test("by SIGKILL, leaves only what the next croft removes", async () => {
    const { world, env } = await place([call("run_command", { argv: sleep })]);
    const temporary = join(world.base, "temporary");
    mkdirSync(temporary);
    const within = { env: { ...env, TMPDIR: temporary } };
    const run = start(world, ["run", "--yes", "--no-verify", "Go."], within);
    await until(isAsleep);
    run.child.kill("SIGKILL");
    await run.ended;
    expect(readdirSync(temporary)).toHaveLength(1);
    expect((await croft(world, ["run", "--yes", "--no-verify", "Go."], within)).code).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

/** It ends only when it must. */
const stubborn = `import signal, subprocess
for name in (signal.SIGTERM, signal.SIGINT): signal.signal(name, signal.SIG_IGN)
subprocess.run(["sleep", "${seconds}"])
`;

/** Loaded before croft: the process kills itself around the n-th time that written bytes take the name of a file. */
const killer = (nth: number, when: "before" | "after"): string => `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const rename = fs.renameSync;
  let count = 0;
  fs.renameSync = (from, to) => {
    const isNth = /\\.croft-[0-9a-f]{16}\\.tmp$/.test(String(from)) && ++count === ${nth};
    if (isNth && "${when}" === "before") process.kill(process.pid, "SIGKILL");
    rename(from, to);
    if (isNth) process.kill(process.pid, "SIGKILL");
  };
  syncBuiltinESMExports();
`;

describe("killed in the landing of a change of two files,", () => {
  test.each([
    ["before the first", 1, "before", 1, 1, "Changed: none. As before: a.ts, b.ts."],
    ["between the two", 1, "after", 2, 1, "Changed: a.ts. As before: b.ts."],
    ["after the second", 2, "after", 2, 2, "Changed: a.ts, b.ts. As before: none."],
  ] as const)(
    "%s: files are whole, it is said which are new, and undo takes them back",
    async (_, nth, when, a, b, said) => {
      const { world, env, results } = await place(changing);
      const hook = join(world.base, "killer.mjs");
      writeFileSync(hook, killer(nth, when));
      const run = await croft(world, ["run", "--yes", "--no-verify", "Go."], {
        env: { ...env, NODE_OPTIONS: `--import ${hook}` },
      });
      const contents = (): string[] => ["a.ts", "b.ts"].map((path) => readFileSync(join(world.project, path), "utf8"));
      expect([run.signal, contents()]).toEqual(["SIGKILL", [`export const a = ${a};\n`, `export const b = ${b};\n`]]);
      const { code, out, err } = await croft(world, ["resume", "--yes", "--no-verify", "go on"], { env });
      expect([code, out, left(world)]).toEqual([0, "Done.\n", []]);
      expect(err).toContain("croft was ended in a call of apply_patch;");
      expect(results().at(-1)).toMatch(/^croft was ended while this ran: it may have done a part/);
      expect(err).toContain(`croft was ended while it changed files (Go.). ${said}\n`);
      if (a === 2) expect((await croft(world, ["undo"])).code).toBe(0);
      expect([contents(), readdirSync(world.project).sort()]).toEqual([
        Object.values(files),
        ["a.ts", "b.ts", "long.txt"],
      ]);
    },
  );
});
