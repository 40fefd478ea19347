import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reply, say, type MessagesServer } from "@croft/harness/testing";
import { needs } from "../support/needs.ts";
import { makeWorld, type World } from "./croft.ts";
import { onScreen, pause, type OnScreen } from "./on-screen.ts";
import { key, serve } from "./server.ts";
import { converse, keys } from "./talk.ts";

const hasSandbox = process.platform === "linux" && needs("bwrap");
const help = "/help lists the commands";

type Opening = { world: World; server: MessagesServer; screen: OnScreen; goOn: () => void };

/** A chat whose prompt is there, and whose session is not open before `goOn`: its sandbox takes so long. */
async function opening(): Promise<Opening> {
  const world = makeWorld({ "add.js": "export const add = (a, b) => a - b;\n" });
  const server = await serve([say("Hello.")]);
  const tools = join(world.home, "tools");
  const isOn = join(world.home, "on");
  const bwrap = execFileSync("sh", ["-c", "command -v bwrap"], { encoding: "utf8" }).trim();
  mkdirSync(tools);
  writeFileSync(
    join(tools, "bwrap"),
    `#!/bin/sh\nwhile [ ! -e '${isOn}' ]; do /bin/sleep 0.05; done\nexec '${bwrap}' "$@"\n`,
  );
  chmodSync(join(tools, "bwrap"), 0o755);
  const path = `${tools}:${process.env["PATH"]}`;
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url, NO_COLOR: "1", PATH: path };
  const screen = onScreen(world, [], { env });
  expect(await screen.sees("\n›")).not.toContain(help);
  return { world, server, screen, goOn: () => writeFileSync(isOn, "") };
}

test.runIf(hasSandbox)(
  "what is entered before the session is open waits for it, and a mode that is chosen holds",
  async () => {
    const { server, screen, goOn } = await opening();
    await screen.types("Hello?", "\r", "\u001b[Z", "And");
    const waiting = await screen.sees("› And");
    expect(waiting).toContain("Hello?");
    expect(waiting).not.toContain("sandbox");
    expect(server.requests).toEqual([]);
    goOn();
    await screen.sees("• Hello.");
    const all = await screen.all();
    expect(all.indexOf(help)).toBeLessThan(all.indexOf("› Hello?"));
    expect(await screen.shown()).toMatch(/yes .*· sandbox/);
    await screen.types("\u0003", "\u0004");
    expect(await screen.ended).toEqual({ code: 0, signal: 0 });
  },
);

test.runIf(hasSandbox).each([
  ["Ctrl+D", ["\u0004"]],
  ["Ctrl+C twice", ["\u0003", "\u0003"]],
])("%s leaves though the sandbox never answers, and nothing is left behind", async (_, pressed) => {
  const { world, server, screen } = await opening();
  await screen.types(...pressed);
  expect(await Promise.race([screen.ended, pause(10_000)])).toEqual({ code: 0, signal: 0 });
  expect(screen.bytes()).not.toContain(help);
  expect(readdirSync(join(world.home, ".local/state/croft/traces"))).toEqual([]);
  expect(server.requests).toEqual([]);
});

test.runIf(hasSandbox)(
  "where the session cannot be opened, the terminal is given back before that is told",
  async () => {
    const { world, screen, goOn } = await opening();
    await screen.types("Hello?", "\r", "And");
    rmSync(world.project, { recursive: true });
    goOn();
    expect(await screen.ended).toEqual({ code: 1, signal: 0 });
    const bytes = screen.bytes();
    const told = bytes.indexOf("croft: ");
    expect(bytes.slice(0, told)).toContain("\u001b[?2004l");
    expect(bytes.slice(told)).toContain("(E_");
  },
);

test.runIf(hasSandbox)("a signal before the session is open ends croft, though the sandbox never answers", async () => {
  const { screen, server } = await opening();
  await screen.types("Hello?", "\r");
  process.kill(screen.pid, "SIGTERM");
  expect(await Promise.race([screen.ended, pause(10_000)])).toEqual({ code: 143, signal: 0 });
  expect(server.requests).toEqual([]);
});

test("the end of input in plain lines ends the turn that runs, and leaves", async () => {
  const world = makeWorld({ "add.js": "" });
  const server = await serve([reply(say("One\nTwo\nThree\nFour\nFive\nSix"), { paceMs: 300 })]);
  const chat = converse(world, ["--plain"], { env: { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url } });
  await chat.answer("> ", "Hello?");
  await chat.sees("One\r\n");
  chat.press(keys.end);
  expect(await chat.ended).toEqual({ code: 0, signal: 0 });
  expect(await chat.screen()).toContain("cancelled");
  expect(await chat.screen()).not.toContain("bug in croft");
});
