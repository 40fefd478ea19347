import { call, reply, say, type ServerScript } from "@croft/harness/testing";
import { expect, test } from "vitest";
import { croft, eventsOf, makeWorld } from "./croft.ts";
import { key, serve } from "./server.ts";

const searching: ServerScript = (_, n) => call("search", { pattern: `name${n}` });

test.each<[string, number, ServerScript, string[]]>([
  ["done", 0, () => say("It is at `a.ts`."), []],
  ["max_turns", 10, searching, ["--max-turns", "2"]],
  ["token_budget", 11, searching, ["--max-tokens", "1"]],
  ["max_tokens", 14, () => reply(say("And so"), { stop: "max_tokens" }), []],
  ["refused", 15, () => reply(say("No."), { stop: "refusal" }), []],
  ["stuck", 16, () => call("search", { pattern: "name" }), ["--max-turns", "50"]],
  ["check_failed", 17, () => say("It is at gone.ts:1."), []],
])("a run that ends as %s exits with %i", async (status, code, script, limits) => {
  const { url } = await serve(script);
  const world = makeWorld({ "a.ts": "export const name = 1;\n" });
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url };
  const ended = await croft(world, ["ask", "Where is name?", "--json", ...limits], { env });
  expect([ended.code, eventsOf(ended.out).at(-1)]).toEqual([code, expect.objectContaining({ type: "stop", status })]);
});

test("a run with tools is told step by step, and its answer's evidence is counted", async () => {
  const { url } = await serve([
    call("search", { pattern: "name" }),
    call("read_file", { path: ".env" }),
    say("`name` is at a.ts:1, not at b.ts:9."),
    say("`name` is at a.ts:1."),
  ]);
  const world = makeWorld({ "a.ts": "export const name = 1;\n", ".env": "KEY=hidden\n" });
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url };
  const { code, out, err } = await croft(world, ["ask", "Where is name?"], { env });
  expect([code, out]).toEqual([0, "`name` is at a.ts:1.\n"]);
  expect(err.split("\n").map((line) => line.slice(0, 40))).toEqual([
    expect.stringContaining("anthropic/claude-opus-5-5 in "),
    '-> search({"pattern":"name"})',
    expect.stringMatching(/^ {3}ok a\.ts:1: export const name/),
    '-> read_file({"path":".env"})',
    expect.stringMatching(/^ {3}ERROR /),
    expect.stringContaining("   check citations failed: "),
    "1 of 1 citation verified",
    expect.stringMatching(/^done: 4 steps, /),
    "",
  ]);
});
