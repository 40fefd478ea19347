/** Ceilings, prices and counters through the whole of croft: the built program against strict servers. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { call, chatReply, reply, say } from "@croft/harness/testing";
import { describe, expect, test } from "vitest";
import { croft, eventsOf, makeWorld, type World } from "./croft.ts";
import { key, serve, serveChat } from "./server.ts";
import { converse } from "./talk.ts";

const files = { "a.ts": "export const a = 1;\n" };
const to = (url: string): Record<string, string> => ({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url });

/** A world whose user has configured this much of their own. */
function worldWith(config: object): World {
  const world = makeWorld(files);
  const file = join(world.home, ".config/croft/config.jsonc");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(config));
  return world;
}

describe("a ceiling", () => {
  test("counts what is read from and written to a cache", async () => {
    const server = await serve((_, n) =>
      reply(call("search", { pattern: `a${n}` }), { usage: { cacheRead: 4_000_000, cacheWrite: 20_000 } }),
    );
    const { code, err } = await croft(
      makeWorld(files),
      ["ask", "--max-dollars", "1", "--max-tokens", "99000000", "a?"],
      {
        env: to(server.url),
      },
    );
    expect([code, server.requests.length]).toEqual([12, 1]);
    expect(err).toMatch(
      /^croft: The next request could pass the ceiling of \$1; \$0\.\d{4} of it are left\. .*\(E_DOLLAR_BUDGET\)$/m,
    );
    expect(err).toMatch(
      /^dollar_budget: 1 step, 4,0\d\d,\d{3} tokens \(input \d+, cache read 4,000,000, cache write 20,000, output \d+\), \$0\.\d{4}, /m,
    );
  });

  test("counts what an agent inside a call used", async () => {
    const server = await serve((_, n) => {
      if (n === 1) return call("explore", { question: "Where is a?" });
      return reply(say("It is at a.ts:1."), { usage: { cacheRead: 5_000_000 } });
    });
    const { code } = await croft(
      makeWorld(files),
      ["run", "--max-dollars", "1", "--max-tokens", "99000000", "Where is a?"],
      {
        env: to(server.url),
      },
    );
    expect([code, server.requests.length]).toEqual([12, 2]);
  });

  test("lowers what a reply may have rather than be passed, and takes a cut reply for its worst case", async () => {
    const server = await serve((_, n) =>
      n === 1 ? reply(say("Half"), { broken: { at: 600, how: "reset" } }) : say("Never."),
    );
    const { code, err } = await croft(makeWorld(files), ["run", "--max-dollars", "1", "a?"], { env: to(server.url) });
    const asked = server.requests.map(({ body }) => body.max_tokens);
    expect([code, asked.length, (asked[0] ?? 0) < 64_000]).toEqual([12, 1, true]);
    expect(err).toMatch(/are the worst case of replies that came without a count\./);
  });

  test.each(["ask", "run"])("refuses a model without a price (croft %s), and nothing is sent", async (command) => {
    const server = await serveChat([say("Never.")]);
    const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: server.url };
    const { code, out, err } = await croft(
      makeWorld(files),
      [command, "--model", "openai/test", "--max-dollars", "1", "a?"],
      { env },
    );
    expect([code, out, server.requests.length]).toEqual([1, "", 0]);
    expect(err).toMatch(
      /^croft: There is no price for openai\/test, .* Configure its price, or run without the ceiling\. \(E_NO_PRICE\)$/m,
    );
  });

  test("of a chat goes on over its sessions, worst cases included", async () => {
    const server = await serve(() => reply(say("Half"), { broken: { at: 600, how: "reset" } }));
    const chat = converse(makeWorld(files), ["--plain", "--max-dollars", "1"], { env: to(server.url) });
    await chat.answer("> ", "One?");
    await chat.answer("dollar_budget: ", "/clear");
    await chat.answer("/help lists the commands", "Two?");
    await chat.answer("dollar_budget: ", "/exit");
    await chat.ended;
    expect(server.requests).toHaveLength(1);
  });
});

describe("a price", () => {
  const usage = { input: 1_000_000, cacheRead: 1_000_000, cacheWrite: 1_000_000, output: 1_000_000 };

  test("is the catalogue's, or the user's own for the same model", async () => {
    const own = {
      provider: "anthropic",
      model: "claude-opus-5-5",
      price: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
    };
    const dollars = async (model: string): Promise<unknown> => {
      const { url } = await serve([reply(say("Yes."), { usage })]);
      const world = worldWith({ models: { mine: own } });
      const { out } = await croft(world, ["ask", "--json", "--model", model, "a?"], { env: to(url) });
      return eventsOf(out).at(-1)?.["dollars"];
    };
    expect([await dollars("anthropic/claude-opus-5-5"), await dollars("mine")]).toEqual([29.2, 10]);
  });

  test("that nobody knows is said to be unknown, never 0", async () => {
    const { url } = await serveChat(() => chatReply(say("Yes.")));
    const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: url };
    const args = ["ask", "--model", "openai/test", "a?"];
    const world = makeWorld(files);
    const { err } = await croft(world, args, { env });
    expect(err).toMatch(/^done: 1 step, [\d,]+ tokens \(input .*\), cost unknown, trace /m);
    const { out } = await croft(world, [...args, "--json"], { env });
    expect(eventsOf(out).at(-1)).not.toHaveProperty("dollars");
    expect((await croft(world, ["sessions"])).out).toMatch(/ 1 turn +- /);
  });

  test.each([
    [{ input: -1, output: 2 }, "models.m.price.input must be 0 or more"],
    [{ input: "4", output: 2 }, "models.m.price.input must be a number"],
    [{ input: 4 }, "models.m.price.output must be a number"],
    [{ input: 4, output: 2, cached: 1 }, 'There is no setting "cached" in models.m.price'],
    [5, "models.m.price "],
  ])("that is none is refused, and nothing is asked: %o", async (price, words) => {
    const world = worldWith({ model: "m", models: { m: { provider: "openai", model: "test", price } } });
    const { code, out, err } = await croft(world, ["ask", "a?"], { env: { OPENAI_API_KEY: key } });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^croft: ~\/\.config\/croft\/config\.jsonc:1:\d+: .*\(E_CONFIG\)\n$/);
    expect(err).toContain(words);
  });
});

test("/cost tells the counters of a session, and of each model it asked", async () => {
  const server = await serve([reply(say("Yes."), { usage: { input: 10, cacheRead: 20, cacheWrite: 30, output: 40 } })]);
  const other = await serveChat([chatReply(say("No."), { usage: { prompt: 5, cached: 2, completion: 3 } })]);
  const env = { ...to(server.url), OPENAI_API_KEY: key, OPENAI_BASE_URL: other.url };
  const chat = converse(makeWorld(files), ["--plain", "--no-verify"], { env, columns: 160 });
  await chat.answer("> ", "One?");
  await chat.answer("done: ", "/cost");
  await chat.answer("1 turn, ", "/model openai/test");
  await chat.answer("with openai/test", "Two?");
  await chat.answer("done: ", "/cost");
  await chat.answer("2 turns, ", "/exit");
  await chat.ended;
  const screen = await chat.screen();
  expect(screen).toMatch(/1 turn, \$0\.0010, 100 tokens \(input 10, cache read 20, cache write 30, output 40\)/);
  expect(screen).toMatch(/2 turns, no price, 108 tokens \(input 13, cache read 22, cache write 30, output 43\)/);
  expect(screen).toMatch(/anthropic\/claude-opus-5-5: \$0\.0010, 100 tokens \(/);
  expect(screen).toMatch(/openai\/test: no price, 8 tokens \(input 3, cache read 2, cache write 0, output 3\)/);
});
