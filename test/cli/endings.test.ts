/** Every way `croft run` can end, in text and in JSON: the status, its exit code, the last line, and what is kept. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { call, httpError, reply, say, type ServerReply, type ServerScript } from "@croft/harness/testing";
import { needs } from "../support/needs.ts";
import { croft, eventsOf, makeWorld, start, until, type Ended, type World } from "./croft.ts";
import { key, serve } from "./server.ts";

const files = { "a.ts": "export const a = 1;\n" };
const task = ["run", "--yes", "--no-verify", "Make a 2."];
const to = (url: string): Record<string, string> => ({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url });

const searching: ServerScript = (_, n) => call("search", { pattern: `a${n}` });
const silence: ServerReply = reply(say("Never said."), { delayMs: 600_000 });

/** In text and in JSON, each in a world and with a service of its own. */
async function both(
  script: ServerScript,
  args: readonly string[],
  apiKey = key,
): Promise<{ text: Ended; json: Ended }> {
  const one = async (...flags: readonly string[]): Promise<Ended> => {
    const { url } = await serve(script, { apiKey });
    return croft(makeWorld(files), [...task, ...args, ...flags], { env: to(url) });
  };
  const [text, json] = await Promise.all([one(), one("--json")]);
  return { text, json };
}

/** What a run in text came to: its last line counts all four kinds of tokens. */
function lastLine({ err }: Ended): string {
  const [line = ""] = err.trimEnd().split("\n").slice(-1);
  expect(line).toMatch(
    /^[a-z_]+: \d+ steps?, (?:\d files? changed, )?(?:about )?[\d,]+ tokens(?: \(input [\d,]+, cache read [\d,]+, cache write [\d,]+, output [\d,]+\))?, \$[\d.]+, trace \S+$/,
  );
  return line;
}

/** The stop event, which is the last one of a run in JSON. */
function stopOf({ out }: Ended): Record<string, unknown> {
  const last = eventsOf(out).at(-1);
  expect(last).toMatchObject({
    type: "stop",
    steps: expect.any(Number),
    dollars: expect.any(Number),
    usage: {
      input: expect.any(Number),
      cacheRead: expect.any(Number),
      cacheWrite: expect.any(Number),
      output: expect.any(Number),
    },
  });
  return last ?? {};
}

type Row = {
  status: string;
  code: number;
  script: ServerScript;
  args?: readonly string[];
  /** On stdout. */
  said?: string;
  /** Of the failure. */
  why?: string;
};

async function ends({ status, code, script, args = [], said = "", why }: Row, apiKey?: string): Promise<void> {
  const { text, json } = await both(script, args, apiKey);
  expect([text.code, json.code, json.err]).toEqual([code, code, ""]);
  expect(text.out).toBe(said === "" ? "" : `${said}\n`);
  expect(lastLine(text)).toMatch(new RegExp(`^${status}: `));
  if (status !== "done")
    expect(text.err).toMatch(why === undefined ? /^croft: /m : new RegExp(`^croft: .*\\(${why}\\)$`, "m"));
  expect(text.err).not.toMatch(/^\s+at /m);
  const stop = stopOf(json);
  expect([stop["status"], stop["answer"], Object(stop["failure"]).code]).toEqual([status, said, why]);
}

const rows: readonly Row[] = [
  { status: "done", code: 0, script: [say("It is.")], said: "It is." },
  { status: "max_turns", code: 10, script: searching, args: ["--max-turns", "2"] },
  { status: "token_budget", code: 11, script: searching, args: ["--max-tokens", "1"] },
  { status: "dollar_budget", code: 12, script: searching, args: ["--max-dollars", "0.0001"], why: "E_DOLLAR_BUDGET" },
  { status: "timeout", code: 13, script: [silence], args: ["--timeout", "0.5"] },
  { status: "max_tokens", code: 14, script: () => reply(say("A"), { stop: "max_tokens" }), said: "AAAA" },
  { status: "refused", code: 15, script: [reply(say("No."), { stop: "refusal" })], said: "No." },
  { status: "stuck", code: 16, script: () => call("search", { pattern: "a" }), why: "E_STUCK" },
  { status: "error", code: 1, script: [reply(say("Hm."), { stop: "odd" })], said: "Hm.", why: "E_UNKNOWN_STOP" },
];

test.each(rows)("a run that ends as $status exits with $code", async (row) => {
  await ends(row);
});

test("a request that the ceiling does not let through is no step, and a deadline that is over at once is one", async () => {
  const never: ServerScript = [say("Never.")];
  const refused = await both(never, ["--max-dollars", "0"]);
  expect([refused.text.code, refused.json.code, stopOf(refused.json)["steps"]]).toEqual([12, 12, 0]);
  expect(lastLine(refused.text)).toMatch(/^dollar_budget: 0 steps, /);
  const late = await both(never, ["--timeout", "0.0001"]);
  expect([late.text.code, late.json.code, stopOf(late.json)["status"]]).toEqual([13, 13, "timeout"]);
});

test("a key that is refused, a service that is busy or broken for ever, and one that is down are errors", async () => {
  const down = await serve([]);
  await down.close();
  const { text, json } = await (async () => {
    const [text, json] = await Promise.all(
      [[], ["--json"]].map((flags) => croft(makeWorld(files), [...task, ...flags], { env: to(down.url) })),
    );
    return { text, json };
  })();
  expect([text?.code, text?.out, json?.code]).toEqual([1, "", 1]);
  expect(text?.err).toMatch(/^croft: No connection to .*\(E_UNREACHABLE\)$/m);
  await Promise.all([
    ends({ status: "error", code: 1, script: [say("Never.")], why: "E_AUTH" }, "another key"),
    ends({ status: "error", code: 1, script: () => httpError(429, "no", { "retry-after": "0" }), why: "E_RATE_LIMIT" }),
    ends({ status: "error", code: 1, script: () => httpError(500, "no"), why: "E_SERVER" }),
  ]);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s while a request is out ends as cancelled, exit %i, in text and in JSON", async (signal, code) => {
  const one = async (...flags: readonly string[]): Promise<Ended> => {
    const server = await serve([silence]);
    const { child, ended } = start(makeWorld(files), [...task, ...flags], { env: to(server.url) });
    await until(() => server.requests.length === 1);
    child.kill(signal);
    return ended;
  };
  const [text, json] = await Promise.all([one(), one("--json")]);
  expect([text.code, text.out, json.code]).toEqual([code, "", code]);
  expect(lastLine(text)).toMatch(/^cancelled: /);
  expect(stopOf(json)["status"]).toBe("cancelled");
});

describe.runIf(process.platform === "linux" && needs("bwrap"))("where a sandbox is", () => {
  test("a run whose check fails ends as check_failed, exit 17, in text and in JSON", async () => {
    const edit = (from: number): ServerReply => [
      call("read_file", { path: "a.ts" }),
      call("edit_file", { path: "a.ts", old_string: `a = ${from}`, new_string: `a = ${from + 1}` }),
    ];
    const one = async (...flags: readonly string[]): Promise<Ended> => {
      const { url } = await serve((_, n) => (n % 2 === 1 ? edit((n + 1) / 2) : say("It is 2.")));
      const args = ["run", "--yes", "--verify", "sh -c 'date +%N; exit 1'", "Make a 2.", ...flags];
      return croft(makeWorld(files), args, { env: to(url) });
    };
    const [text, json] = await Promise.all([one(), one("--json")]);
    expect([text.code, text.out, json.code, stopOf(json)["status"]]).toEqual([17, "It is 2.\n", 17, "check_failed"]);
    expect(text.err).toMatch(/^check_failed: \d+ steps, 1 file changed, check failed, /m);
  });
});

/** What there was of an answer, and the work, when the service gave up in the middle of it. */
test("what was done and said before the service gave up is kept, counted and told, and can be undone", async () => {
  const server = await serve((_, n) => {
    if (n === 1)
      return [
        call("read_file", { path: "a.ts" }),
        call("edit_file", { path: "a.ts", old_string: "1", new_string: "2" }),
      ];
    return n === 2
      ? reply(say("Now a is 2, and so the te"), { broken: { at: 800, how: "reset" } })
      : httpError(401, "gone");
  });
  const world: World = makeWorld(files);
  const ended = await croft(world, task, { env: to(server.url) });
  expect([ended.code, ended.out]).toEqual([1, expect.stringMatching(/^Now a is 2/)]);
  expect(ended.err).toMatch(/^croft: .*\(E_AUTH\)$/m);
  expect(lastLine(ended)).toMatch(/^error: 2 steps, 1 file changed, about /);
  const content = (): string => readFileSync(join(world.project, "a.ts"), "utf8");
  expect(content()).toBe("export const a = 2;\n");
  expect((await croft(world, ["undo"])).code).toBe(0);
  expect(content()).toBe(files["a.ts"]);
});
