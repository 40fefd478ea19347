/** Completion as people meet it: real shells at a real terminal, the tabulator pressed. */

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandSpecs, type OptionSpec } from "../../packages/cli/src/completion/specs.ts";
import { everyEvent, writeTrace } from "../support/every-event.ts";
import { needs } from "../support/needs.ts";
import { bin, croft, makeWorld, type World } from "./croft.ts";
import { onScreen } from "./on-screen.ts";

/** Whose options others refer to. */
const borrowed = ["chat", "run", "ask"].map(
  (name) => [name, readFileSync(new URL(`../../packages/cli/src/words/${name}.md`, import.meta.url), "utf8")] as const,
);

const session = "20261130T170024Z-3f9a1c";

const shells = [
  { shell: "bash", rc: ".bashrc", lines: ['eval "$(croft completion bash)"', "PS1='> '"] },
  {
    shell: "zsh",

    rc: ".zshrc",
    lines: ["autoload -Uz compinit", "compinit -u", 'eval "$(croft completion zsh)"', "PS1='> '"],
  },
  {
    shell: "fish",

    rc: ".config/fish/config.fish",
    lines: ["croft completion fish | source", "function fish_prompt; echo '> '; end", "function fish_greeting; end"],
  },
] as const;

/** A home in which `croft` is on the PATH, with a session of the project that there is. */
function home(rc: string, lines: readonly string[]): { world: World; env: Record<string, string> } {
  const world = makeWorld({ "sources/a.ts": "", "notes on it.md": "" });
  const bins = join(world.base, "bin");
  const traces = join(world.home, ".local/state/croft/traces");
  for (const folder of [bins, traces, dirname(join(world.home, rc))]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(bins, "croft"), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  chmodSync(join(bins, "croft"), 0o755);
  const events = everyEvent.map(
    ([ms, event]) => [ms, event.type === "start" ? { ...event, root: world.project } : event] as const,
  );
  writeTrace(join(traces, `${session}.jsonl`), events);
  writeFileSync(join(world.home, rc), `${lines.join("\n")}\n`);
  return { world, env: { PATH: `${bins}:${process.env["PATH"]}` } };
}

describe.each(shells)("in $shell", ({ shell, rc, lines }) => {
  test.runIf(needs(shell))("commands, options, sessions, models, tools, files and folders are completed", async () => {
    const { world, env } = home(rc, lines);
    const screen = onScreen(world, ["-i"], { program: [shell], columns: 120, env });
    await screen.sees(">");
    for (const [typed, completed] of [
      ["croft sess", "croft sessions"],
      ["croft run --max-d", "croft run --max-dollars"],
      ["croft --pl", "croft --pla"],
      ["croft fork 2", `croft fork ${session}`],
      ["croft ask --model off", "croft ask --model offline"],
      ["croft tool list_", "croft tool list_files"],
      ["croft ask -C sour", "croft ask -C sources/"],
      ["croft run --file not", String.raw`croft run --file notes\ on\ it.md`],
      ["croft config tr", "croft config trust"],
      ["croft help und", "croft help undo"],
    ] as const) {
      await screen.types(typed, "\t");
      await screen.sees(completed);
      await screen.types("\u0015"); // clears the line; Ctrl+C would make a shell drop what is typed next
    }
  });
});

test("the help of every command tells of each option that it takes, and of no other", async () => {
  const world = makeWorld();
  const { err } = await croft(world, ["no-such-command"]);
  const names = /The commands: (.*), help\./.exec(err)?.[1]?.split(", ") ?? [];
  expect(names).toContain("completion");
  for (const name of names) {
    const { out } = await croft(world, ["help", name]);
    const told =
      commandSpecs(new Map([...borrowed, [name, out]])).find((command) => command.name === name)?.options ?? [];
    const named = told.map(({ long }) => `--${long}`);
    for (const word of new Set(told.map(({ only }) => only).concat(undefined))) {
      const these = told.filter(({ only }) => only === word);
      const taken = await takenBy(world, word === undefined ? [name] : [name, word], these);
      expect(taken, name).toEqual(expect.arrayContaining(these.map(({ long }) => `--${long}`)));
      expect(named, name).toEqual(expect.arrayContaining(taken));
    }
  }
});

/** The options that a command says it takes. Those told of it are given, and none of them may be refused. */
async function takenBy(world: World, command: readonly string[], told: readonly OptionSpec[]): Promise<string[]> {
  const spelled = told.flatMap(({ long, short, value }) => [
    value === undefined ? `--${long}` : `--${long}=x`,
    ...(short === undefined ? [] : [value === undefined ? `-${short}` : `-${short}x`]),
  ]);
  const { err } = await croft(world, [...command, ...spelled, "--no-such-option"]);
  expect(err, command.join(" ")).toContain("Unknown option '--no-such-option'.");
  return /It takes (.*?)\. See/.exec(err)?.[1]?.split(", ") ?? [];
}

test.runIf(needs("fish"))("fish is told what an option is for", () => {
  const { world, env } = home(".config/fish/config.fish", []);
  const script = 'croft completion fish | source; complete -C "croft trace --"';
  const out = execFileSync("fish", ["-c", script], {
    cwd: world.project,
    env: { HOME: world.home, ...env },
    encoding: "utf8",
  });
  expect(out.trimEnd().split("\n").toSorted()).toEqual([
    "--help\twhat it does, and its options",
    "--html\twrite the page to this file, replacing it",
    "--json\tthe summary as one line of JSON",
  ]);
});

test("another shell is a mistake, and the scripts can ask for the models", async () => {
  const world = makeWorld();
  const wrong = await croft(world, ["completion", "tcsh"]);
  expect([wrong.code, wrong.err]).toEqual([
    2,
    "croft: A script is for one shell. Usage: croft completion bash|zsh|fish (E_ARGUMENTS)\n",
  ]);
  const models = await croft(world, ["completion", "models"]);
  expect([models.code, models.out.split("\n")]).toEqual([
    0,
    expect.arrayContaining(["anthropic/claude-opus-5-5", "offline"]),
  ]);
});
