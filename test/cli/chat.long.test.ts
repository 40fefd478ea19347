import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reply, say } from "@croft/harness/testing";
import { makeWorld } from "./croft.ts";
import { key, serve } from "./server.ts";
import { converse } from "./talk.ts";

test.each([
  ["bell", "\u0007"],
  ["osc9", "\u001b]9;croft is done\u0007"],
  ["off", undefined],
])("with notify %s the end of a long turn is heard, and that of a short one is not", async (notify, call) => {
  const world = makeWorld();
  mkdirSync(join(world.home, ".config/croft"), { recursive: true });
  writeFileSync(join(world.home, ".config/croft/config.jsonc"), JSON.stringify({ notify }));
  const server = await serve([say("Short."), reply(say("Long."), { delayMs: 11_000 })]);
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url };
  const chat = converse(world, ["--plain"], { env });
  await chat.answer("> ", "First");
  await chat.sees("done: 1 step");
  expect(chat.bytes()).not.toContain("\u0007");
  chat.press("Second\r");
  await chat.sees("done: 1 step");
  await chat.answer("> ", "/exit");
  await chat.ended;
  if (call === undefined) expect(chat.bytes()).not.toContain("\u0007");
  else expect(chat.bytes()).toContain(call);
});
