import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { say } from "@croft/harness/testing";
import { croft, eventsOf, makeWorld, type World } from "./croft.ts";
import { key, serve } from "./server.ts";

/** A repository with a project in it, memory files around both. */
function makeRepository(): World {
  const world = makeWorld({
    ".git/HEAD": "ref: refs/heads/main\n",
    "AGENTS.md": "Use tabs.",
    "app/CLAUDE.md": "Mind @rules.md and @.env",
    "app/rules.md": "CANARY",
    "app/.env": "KEY=hunter2",
    "app/greet.ts": "export function greet() {}\n",
  });
  writeFileSync(join(world.base, "AGENTS.md"), "above the repository");
  mkdirSync(join(world.home, ".config", "croft"), { recursive: true });
  writeFileSync(join(world.home, ".config", "croft", "AGENTS.md"), "Answer in French.");
  return world;
}

test("what was loaded and what was not is told on stderr, behind the start", async () => {
  const { code, err } = await croft(makeRepository(), ["ask", "app", "Where is greet defined?", "--model", "offline"]);
  expect(code).toBe(0);
  expect(err.split("\n").slice(1, 3)).toEqual([
    "Memory files: ~/.config/croft/AGENTS.md, ../AGENTS.md, rules.md, CLAUDE.md",
    'Not loaded as memory: ".env" is protected (environment files, which may hold secrets): ' +
      "it is never read in this mode. (Imported by CLAUDE.md.)",
  ]);
});

test("memory is sent as the second part of the system prompt", async () => {
  const { url, requests } = await serve([say("Oui.")]);
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url };
  const { code, out } = await croft(makeRepository(), ["ask", "app", "What is this?", "--json"], { env });
  expect(code).toBe(0);
  const [, memory] = requests[0]?.body.system ?? [];
  expect(String(memory?.["text"]).match(/^<memory path=.*\n.*$/gm)).toEqual([
    '<memory path="~/.config/croft/AGENTS.md">\nAnswer in French.',
    '<memory path="../AGENTS.md">\nUse tabs.',
    '<memory path="rules.md">\nCANARY',
    '<memory path="CLAUDE.md">\nMind @rules.md and @.env',
  ]);
  expect(JSON.stringify(requests)).not.toContain("hunter2");
  const events = eventsOf(out).map(({ type, code }) => (type === "notice" ? code : type));
  expect(events).toEqual([
    "start",
    "memory",
    "memory_left_out",
    "message",
    "delta",
    "step",
    "message",
    "check",
    "stop",
  ]);
});

test("a memory file of one's own that is no text is said, and the question is answered", async () => {
  const world = makeRepository();
  writeFileSync(join(world.home, ".config", "croft", "AGENTS.md"), Buffer.of(0xff));
  const { code, err } = await croft(world, ["ask", "app", "Where is greet defined?", "--model", "offline"]);
  expect(code).toBe(0);
  expect(err).toMatch(/^Your own memory file is not loaded: .*\.$/m);
  expect(err).toContain("Memory files: ../AGENTS.md, rules.md, CLAUDE.md\n");
});

test("started in a folder below, the repository's memory file is loaded with what it imports", async () => {
  const files = {
    ".git/HEAD": "ref: refs/heads/main\n",
    "CLAUDE.md": "@RULES.md",
    "RULES.md": "CANARY",
    "sub/a.ts": "",
  };
  const world = makeWorld(files);
  const { url, requests } = await serve([say("Yes.")]);
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url };
  const { code } = await croft(world, ["ask", "What is this?"], { env, cwd: join(world.project, "sub") });
  expect(code).toBe(0);
  expect(requests[0]?.body.system?.[1]?.["text"]).toContain('<memory path="RULES.md">\nCANARY\n</memory>');
});
